"""The kernel's numbers of the system calls that a bot is refused, for each architecture."""

from __future__ import annotations

Numbers = tuple[int, int | None]
"""On x86_64 and on aarch64; None where the call does not exist."""

NEWEST_KNOWN = 462
"""Whatever was added to the kernel after this call (`mseal`) is refused like a call that does not exist."""

REFUSED: dict[str, Numbers] = {
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    # much of the kernel's code, for nothing that a bot does
    "bpf": (321, 280),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "seccomp": (317, 277),
    # others to talk to
    "socket": (41, 198),
    "bind": (49, 200),
    "connect": (42, 203),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "setsockopt": (54, 208),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # watching what others read, or have read
    "fanotify_init": (300, 262),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "mincore": (27, 232),
    "cachestat": (451, 451),
    # marking what others see: who may write to a device may set its times
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    # leaving the core and the priority that a match is given
    "sched_setaffinity": (203, 122),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # the machine
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "syslog": (103, 116),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "lookup_dcookie": (212, 18),
    "vhangup": (153, 58),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
}
"""Answered with EPERM: nothing a bot needs."""

MISSING: dict[str, Numbers] = {
    "clone3": (435, 435),
    "flock": (73, 32),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
    "io_setup": (206, 0),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_submit": (209, 2),
    "io_cancel": (210, 3),
    "io_pgetevents": (333, 292),
    "timer_create": (222, 107),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "openat2": (437, 437),
}
"""Answered with ENOSYS, so that programs do without: locks and queues that others see, uncounted memory.

The filter cannot see the mode that `openat2` gives a new file. The kernel has a fixed number of asynchronous
requests for all users together. A timer of `timer_create` can send SIGCONT, and so continue the bot that set
it while it is frozen. `preadv2` tells whether anybody has read a part of a file before.
"""

IDLE: dict[str, Numbers] = {
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "sync_file_range": (277, 84),
    "msync": (26, 227),
}
"""Answered as if done: what a bot writes is in memory, and the disks are not its to keep busy."""

MODES: dict[str, tuple[Numbers, int]] = {
    "chmod": ((90, None), 1),
    "fchmod": ((91, 52), 1),
    "fchmodat": ((268, 53), 2),
    "fchmodat2": ((452, 452), 2),
}
"""Calls that change a file's mode, and which argument the new one is."""

MAKING: dict[str, tuple[Numbers, int]] = {
    "creat": ((85, None), 1),
    "mknod": ((133, None), 1),
    "mknodat": ((259, 33), 2),
    "mkdir": ((83, None), 1),
    "mkdirat": ((258, 34), 2),
}
"""Calls that make a file or a folder, and which argument its mode is."""

OPENING: dict[str, tuple[Numbers, int]] = {"open": ((2, None), 1), "openat": ((257, 56), 2)}
"""Calls that make a file only if a flag says so, and which argument the flags are; the mode follows them."""

METADATA: dict[str, Numbers] = {
    **{name: numbers for name, (numbers, _) in MODES.items()},
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
}
"""What a file is like besides its contents; no other rule keeps a user's own files from it."""

SIGNALS: dict[str, Numbers] = {
    "kill": (62, 129),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}
"""Signals to a process; which one is their first argument."""

JUDGED: dict[str, Numbers] = {
    "clone": (56, 220),
    "fork": (57, None),
    "vfork": (58, None),
    "socketpair": (53, 199),
    "fcntl": (72, 25),
    "prctl": (157, 167),
    "personality": (135, 92),
    "ioctl": (16, 29),
    "prlimit64": (302, 261),
    "setrlimit": (160, 164),
    "getsockopt": (55, 209),
    "sendto": (44, 206),
    "madvise": (28, 233),
    "mmap": (9, 222),
    "tkill": (200, 130),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "clock_getres": (229, 114),
    "sysinfo": (99, 179),
    "sched_setscheduler": (144, 119),
}
"""Refused with some arguments, or to some bots."""
