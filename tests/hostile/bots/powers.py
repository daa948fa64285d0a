"""Bots that ask the kernel for what no player needs."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import stat
import struct
from pathlib import Path

from tests.hostile.bots.kit import attack, breach, first_question, given, note, play_on, refused, talk
from tests.hostile.bots.system import X86, Word, call, call_number

CLOSED = {errno.EPERM, errno.EACCES, errno.ENOSYS}
NAMESPACES = {
    "mount": 0x00020000,
    "cgroup": 0x02000000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "time": 0x00000080,
}
SIGNAL_BITS = 0xFF
ZEROS = bytes(256)
AT_FDCWD = -100
X32 = 0x40000000
F_SET_RW_HINT, F_SET_FILE_RW_HINT = 1036, 1038
FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FS_IOC_FSSETXATTR = 0x40086602, 0x40087602, 0x401C5820
FS_IOC_ENABLE_VERITY = 0x40806685
MAP_HUGETLB = 0x40000
PRCTL = {
    "PR_SET_PDEATHSIG": 1,
    "PR_SET_DUMPABLE": 4,
    "PR_SET_KEEPCAPS": 8,
    "PR_SET_SECCOMP": 22,
    "PR_SET_TIMERSLACK": 29,
    "PR_TASK_PERF_EVENTS_DISABLE": 31,
    "PR_MCE_KILL": 33,
    "PR_SET_MM": 35,
    "PR_SET_CHILD_SUBREAPER": 36,
    "PR_CAP_AMBIENT": 47,
    "PR_SET_SPECULATION_CTRL": 53,
    "PR_SET_IO_FLUSHER": 57,
    "PR_SCHED_CORE": 62,
    "PR_SET_MEMORY_MERGE": 67,
    "PR_SET_PTRACER": 0x59616D61,
}


def closed(name: str, *words: Word, what: str = "") -> None:
    """Make a call that must not reach the kernel's own code: any other refusal than that is a breach."""
    try:
        value = call(name, *words)
    except OSError as error:
        if error.errno in CLOSED:
            note(f"refused {name} {what}: {error}")
        else:
            breach(f"{name} {what} was let in", error)
    else:
        breach(f"{name} {what}", value)


@attack()
def namespaces() -> None:
    """Makes namespaces, where it would be somebody."""
    for name, flag in NAMESPACES.items():
        closed("unshare", flag, what=name)
        if flag > SIGNAL_BITS:
            closed("clone", flag | 17, 0, 0, 0, 0, what=name)
    closed("setns", 0, 0)


@attack()
def clone3() -> None:
    """Starts a process by the call whose flags no filter can see."""
    closed("clone3", struct.pack("11Q", NAMESPACES["user"], *[0] * 10), 88)


@attack()
def mounts() -> None:
    """Mounts, unmounts and moves its root, by the old calls and by the new."""
    closed("mount", b"none", b"/tmp", b"tmpfs", 0, 0)
    closed("mount", b"/", b"/tmp", 0, 4096, 0)
    closed("umount2", b"/tmp", 2)
    closed("pivot_root", b"/", b"/")
    closed("chroot", b"/")
    closed("fsopen", b"tmpfs", 0)
    closed("fsmount", 0, 0, 0)
    closed("fspick", AT_FDCWD, b"/", 0)
    closed("open_tree", AT_FDCWD, b"/", 1)
    closed("move_mount", AT_FDCWD, b"/", AT_FDCWD, b"/", 0)
    closed("mount_setattr", AT_FDCWD, b"/", 0, ZEROS, 32)


@attack()
def wide_doors() -> None:
    """Calls the parts of the kernel that are known for their holes."""
    closed("io_uring_setup", 8, ZEROS)
    closed("io_uring_enter", 0, 0, 0, 0, 0, 0)
    closed("io_uring_register", 0, 0, 0, 0)
    closed("bpf", 0, ZEROS, 128)
    closed("userfaultfd", 0)
    closed("userfaultfd", 1)
    closed("perf_event_open", struct.pack("II", 1, 112) + ZEROS, 0, -1, -1, 0)
    closed("fanotify_init", 0, 0)
    closed("memfd_create", b"x", 0)
    closed("memfd_secret", 0)


@attack()
def keys() -> None:
    """Puts a key where all processes of a user can find it."""
    closed("add_key", b"user", b"hostile", b"x", 1, -4)
    closed("request_key", b"user", b"hostile", 0, -4)
    closed("keyctl", 0, -4, 1)
    closed("keyctl", 1, 0)


@attack()
def host() -> None:
    """Changes the host's clock, name, modules, kernel, quotas, and reads its log."""
    closed("settimeofday", ZEROS, 0)
    closed("clock_settime", 0, ZEROS)
    closed("adjtimex", struct.pack("I", 1) + ZEROS)
    closed("sethostname", b"mine", 4)
    closed("init_module", ZEROS, 1, b"")
    closed("finit_module", 0, b"", 0)
    closed("delete_module", b"none", 0)
    closed("kexec_load", 0, 0, 0, 0)
    closed("reboot", 0xFEE1DEAD, 672274793, 0, 0)
    closed("swapon", b"/nowhere", 0)
    closed("acct", b"/nowhere")
    closed("quotactl", 0, 0, 0, 0)
    closed("syslog", 3, ZEROS, 10)
    closed("vhangup")


@attack()
def handles() -> None:
    """Opens files by their number, past every folder."""
    closed("open_by_handle_at", AT_FDCWD, struct.pack("Ii", 8, 1) + ZEROS, 0)


@attack()
def identity() -> None:
    """Becomes somebody else."""
    for name in ("setuid", "setgid", "seteuid", "setegid"):
        refused(name, getattr(os, name), 0)
    refused("setgroups", os.setgroups, [0])
    if 0 in {os.getuid(), os.geteuid(), os.getgid(), os.getegid(), *os.getgroups()}:
        breach("it is root already", os.getresuid())
    capabilities = ctypes.create_string_buffer(24)
    header = struct.pack("Ii", 0x20080522, 0)
    if ctypes.CDLL(None).capget(header, capabilities) == 0 and any(capabilities.raw):
        breach("capabilities", capabilities.raw)
    note("looked at its identity")


@attack()
def programs_of_root() -> None:
    """Checks that no program could give it a new user."""
    if ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) != 1:
        breach("programs may give it new rights")
    note("no new rights")


@attack()
def limits() -> None:
    """Raises its own limits."""
    for name in ("CORE", "FSIZE", "NOFILE", "CPU", "MEMLOCK", "MSGQUEUE"):
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        if hard == resource.RLIM_INFINITY:
            breach(f"no limit of {name}")
        else:
            refused(name, resource.setrlimit, which, (hard + 1, hard + 1))
    refused("a core that the host deals with", resource.setrlimit, resource.RLIMIT_CORE, (0, 0))
    if resource.getrlimit(resource.RLIMIT_CORE) != (1, 1):
        breach("a crash starts a program of the host", resource.getrlimit(resource.RLIMIT_CORE))


@attack()
def old_doors() -> None:
    """Changes how the kernel treats it, and asks for ports of the machine."""
    if X86:
        for name, number in (("iopl", 172), ("ioperm", 173)):
            refused(name, call_number, number, 3, 1, 1)
    refused("ADDR_NO_RANDOMIZE", call, "personality", 0x0040000)


@talk("crash")
def thirty_two_bits() -> None:
    """Makes a call through the old interrupt, where every number means another call."""
    question = first_question()
    if not X86:
        os.abort()
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(
        b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3"
    )  # push rbx; mov eax, getpid; int 0x80; pop rbx; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    breach("int 0x80", ctypes.CFUNCTYPE(ctypes.c_long)(address)())
    play_on(question)


@talk("crash")
def x32_calls() -> None:
    """Makes a call of the x32 kind, whose numbers slip past a careless filter."""
    question = first_question()
    if not X86:
        os.abort()
    try:
        value = call_number(X32 | 39)
    except OSError as error:
        if error.errno != errno.ENOSYS:
            breach("x32", error)
        os.abort()
    breach("x32", value)
    play_on(question)


@attack()
def watching() -> None:
    """Watches what others do with files that both can see."""
    closed("inotify_init1", 0)
    descriptor = os.open("/usr/bin", os.O_RDONLY)
    for name, number in (("F_SETLEASE", 1024), ("F_NOTIFY", 1026)):
        refused(name, fcntl.fcntl, descriptor, number, 1)
    closed("cachestat", descriptor, ZEROS, ZEROS, 0)


@attack()
def terminal() -> None:
    """Types into the terminal from which the worker was started."""
    for name, number in (("TIOCSTI", 0x5412), ("TIOCLINUX", 0x541C), ("TIOCSCTTY", 0x540E)):
        for descriptor in (0, 1, 2):
            refused(name, fcntl.ioctl, descriptor, number, b"x")
    refused("/dev/tty", os.open, "/dev/tty", os.O_RDWR)


@attack()
def requests_of_the_host() -> None:
    """Takes all the asynchronous requests that the kernel has for everybody, and has it write all disks."""
    contexts = [bytes(8) for _ in range(100)]
    refused("requests", lambda: [call("io_setup", 1000, context) for context in contexts])
    refused("sync", call, "sync")


@attack()
def counters_of_the_host() -> None:
    """Asks how much memory is free on the host, and how many processes it has."""
    refused("sysinfo", call, "sysinfo", bytes(128))
    for name in ("loadavg", "meminfo", "stat", "vmstat", "sys/fs/aio-nr", "sys/fs/file-nr"):
        refused(name, Path("/proc", name).read_bytes)


@attack()
def marks_on_files() -> None:
    """Leaves marks on files that other bots can open: hints of their lifetime, flags, versions, seals."""
    for path in (f"{given('own')}/main.py", "/usr/bin/env", "/usr", "/dev/null", "/dev/urandom"):
        refused(f"the time of now on {path}", os.utime, path)
        descriptor = os.open(path, os.O_RDONLY)
        for hint in (F_SET_RW_HINT, F_SET_FILE_RW_HINT):
            refused(f"hint on {path}", fcntl.fcntl, descriptor, hint, struct.pack("Q", 3))
        for request in (FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FS_IOC_FSSETXATTR, FS_IOC_ENABLE_VERITY):
            refused(f"mark {request:#x} on {path}", fcntl.ioctl, descriptor, request, bytes(128))


@attack()
def set_ids() -> None:
    """Leaves programs that would make whoever starts them their owner, or one of its group."""
    for folder in (os.environ.get("HOME", "."), "/tmp"):  # noqa: S108  (its own, in memory)
        leave_set_ids(folder)


def leave_set_ids(folder: str) -> None:
    """Make set-id files and folders there, or give what is there set-id bits, by every call that could."""
    plain = Path(folder, "plain")
    try:
        descriptor = os.open(plain, os.O_WRONLY | os.O_CREAT, 0o755)
    except OSError as error:
        note(f"refused any file in {folder}: {error}")
        return
    top = os.open(folder, os.O_RDONLY)
    for bit in (stat.S_ISUID, stat.S_ISGID, stat.S_ISUID | stat.S_ISGID):
        mode, new = bit | 0o755, f"{folder}/made-{bit:o}"
        name = f"{new}-by-number".encode()
        refused("chmod", os.chmod, plain, mode)
        refused("fchmod", os.fchmod, descriptor, mode)
        refused("fchmodat", lambda mode=mode: os.chmod("plain", mode, dir_fd=top))
        refused("fchmodat2", call, "fchmodat2", AT_FDCWD, bytes(plain), mode, 0)
        refused("chmod of a folder", os.chmod, folder, mode)
        refused("open", os.open, f"{new}-opened", os.O_WRONLY | os.O_CREAT, mode)
        refused("open without a name", os.open, folder, os.O_RDWR | os.O_TMPFILE, mode)
        refused("openat2", call, "openat2", AT_FDCWD, name, struct.pack("3Q", 0o101, mode, 0), 24)
        refused("mkdir", os.mkdir, f"{new}-folder", mode)
        refused("mkdirat", lambda new=new, mode=mode: os.mkdir(f"{Path(new).name}-below", mode, dir_fd=top))
        for kind in (stat.S_IFREG, stat.S_IFIFO):
            refused("mknod", os.mknod, f"{new}-node-{kind:o}", kind | mode)
        if X86:
            refused("the old open", call_number, 2, name, os.O_WRONLY | os.O_CREAT, mode)
            refused("creat", call_number, 85, name, mode)
            refused("the old mknod", call_number, 133, name, mode, 0)
    for path in (folder, *map(str, Path(folder).iterdir())):
        if os.lstat(path).st_mode & (stat.S_ISUID | stat.S_ISGID):
            breach(f"the mode of {path}", oct(os.lstat(path).st_mode))


@attack()
def pages_of_others() -> None:
    """Asks what of a file somebody has read, puts pages out, has memory merged, and takes large pages."""
    descriptor = os.open("/usr/bin/env", os.O_RDONLY)
    refused("what is in memory", os.preadv, descriptor, [bytearray(1)], 0, os.RWF_NOWAIT)
    with mmap.mmap(-1, mmap.PAGESIZE) as page:
        for name, advice in (("MERGEABLE", 12), ("COLD", 20), ("PAGEOUT", 21)):
            refused(name, page.madvise, advice)
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB
    refused("large pages", lambda: mmap.mmap(-1, 1 << 21, flags=flags))


@attack()
def its_own_kind() -> None:
    """Changes how the kernel deals with it where that is felt by others."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for name, option in PRCTL.items():
        if prctl(option, *map(ctypes.c_ulong, (1, 1, 0, 0))) != -1 or ctypes.get_errno() != errno.EPERM:
            breach(name, os.strerror(ctypes.get_errno()))
    note("stayed what it is")
