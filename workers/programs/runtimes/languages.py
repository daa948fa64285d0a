"""The languages of bots, a few lines of data each, and the explicit list of them.

To add one, write its lines and put it into `LANGUAGES`. A build is a shell line that runs inside the sandbox
in a copy of the bot's files, with the file that starts the bot as `$1`. What lies in that folder afterwards
is what the bot is run from. Nothing has a network: what a bot needs must be among its files.
"""

from __future__ import annotations

from dataclasses import dataclass

Words = tuple[str, ...]

COMPILED = ("{folder}/bot",)


@dataclass(frozen=True)
class Language:
    """One language.

    `entries` are names of the file that starts a bot, the preferred one first, and `suffixes` those of its
    sources, but for those that end in one of `declares`. `any_name` says that a source of any name will do
    where no entry is there, and `becomes` what it is compiled to: where that lies beside it, that is what is
    started. `run` is the bot's
    command: `{folder}` becomes the folder of its files, `{entry}` the name of the file that starts it,
    `{stem}` that name without its folder and suffix, `{base}` with its folder, `{python}` the host's
    interpreter for bots. All of `probes` must
    succeed on a host that can build and run it; what they print is the toolchain's version. `reads` are
    patterns of what it must be able to read that is no program (a sandbox shows no more of the host).
    `{home}`, and `$2` in a build, is where the tool `home_of` is installed, and `reserve_mb` the address
    space that a runtime takes besides the memory that it uses. `asks_itself` is the tool of a build that
    must be told its own path by /proc, of which nothing else is there; one with `asks_maps` starts only where
    /proc/self/maps tells where its stack is.
    """

    name: str
    title: str
    entries: Words
    suffixes: Words
    run: Words
    probes: tuple[Words, ...]
    build: str = ""
    any_name: bool = False
    declares: Words = ()
    becomes: str = ""
    reads: Words = ()
    home_of: str = ""
    reserve_mb: int = 0
    asks_itself: str = ""
    asks_maps: bool = False


PYTHON = Language(
    name="python",
    title="Python",
    entries=("main.py",),
    suffixes=(".py",),
    run=("{python}", "{folder}/{entry}"),
    probes=(("{python}", "--version"),),
)

C = Language(
    name="c",
    title="C",
    entries=("main.c",),
    suffixes=(".c",),
    any_name=True,
    build="find . -name '*.c' -exec gcc -std=gnu17 -O2 -I. -o bot -Wl,--no-as-needed -lm -pthread {} +",
    run=COMPILED,
    probes=(("gcc", "--version"),),
)

CPP = Language(
    name="cpp",
    title="C++",
    entries=("main.cpp", "main.cc", "main.cxx"),
    suffixes=(".cpp", ".cc", ".cxx"),
    any_name=True,
    build=r"find . \( -name '*.cpp' -o -name '*.cc' -o -name '*.cxx' \)"
    " -exec g++ -std=gnu++20 -O2 -I. -o bot -pthread {} +",
    run=COMPILED,
    probes=(("g++", "--version"),),
)

_SPARE = ("-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m", "-XX:+UseSerialGC")
"""A virtual machine for Java reserves more than a gigabyte of addresses otherwise, whatever it uses."""

_JAVA_ENV = ("env", "LD_LIBRARY_PATH={home}/lib")
"""It finds its own libraries through /proc, which a bot does not have."""

_JAVA = (*_JAVA_ENV, "{home}/bin/java", "-Xmx256m", "-XX:-UsePerfData", *_SPARE)
_JAVAC = ("-J-Xmx512m", *(f"-J{option}" for option in _SPARE))

JAVA = Language(
    name="java",
    title="Java",
    entries=("Main.java",),
    suffixes=(".java",),
    any_name=True,
    build="export LD_LIBRARY_PATH=$2/lib;"
    f" find . -name '*.java' -exec \"$2/bin/javac\" {' '.join(_JAVAC)} -encoding UTF-8 -d . {{}} +",
    run=(*_JAVA, "-cp", "{folder}", "{stem}"),
    probes=((*_JAVA_ENV, "{home}/bin/javac", *_JAVAC, "--version"), (*_JAVA, "--version")),
    reads=("/etc/java-*",),
    home_of="java",
    reserve_mb=512,
)

JAVASCRIPT = Language(
    name="javascript",
    title="JavaScript",
    entries=("main.js", "main.mjs", "main.cjs"),
    suffixes=(".js", ".mjs", ".cjs"),
    run=("node", "--max-old-space-size=256", "{folder}/{entry}"),
    probes=(("node", "-p", "process.version"),),
    reads=("/etc/ssl/openssl.cnf",),
    reserve_mb=512,
)

_ES = "--target es2020 --moduleResolution node --inlineSourceMap --noEmitOnError"

TYPESCRIPT = Language(
    name="typescript",
    title="TypeScript",
    entries=("main.ts", "src/main.ts"),
    suffixes=(".ts",),
    any_name=True,
    declares=(".d.ts",),
    becomes=JAVASCRIPT.name,
    build="if [ -e tsconfig.json ]; then tsc -p . --rootDir . --outDir . --noEmit false --inlineSourceMap"
    f' --sourceMap false --noEmitOnError; else tsc {_ES} --module commonjs "$1"; fi',
    run=("node", "--enable-source-maps", "--max-old-space-size=256", "{folder}/{base}.js"),
    probes=(("tsc", "--version"), ("node", "-p", "process.version")),
    reads=JAVASCRIPT.reads,
    reserve_mb=JAVASCRIPT.reserve_mb,
)

CSHARP = Language(
    name="csharp",
    title="C#",
    entries=("Main.cs", "Program.cs"),
    suffixes=(".cs",),
    any_name=True,
    build="find . -name '*.cs' -exec mcs -langversion:latest -optimize+ -debug -out:bot.exe {} +",
    run=("mono", "--debug", "{folder}/bot.exe"),
    probes=(("mcs", "--version"), ("mono", "--version")),
    reads=("/etc/mono",),
    reserve_mb=512,
    asks_maps=True,
)

_OTHER_LOCK = "[ -d .cargo ] || rm -f Cargo.lock;"
"""A newer cargo's lock is not understood, and says nothing where no folder of sources is named to it."""

RUST = Language(
    name="rust",
    title="Rust",
    entries=("main.rs", "Cargo.toml", "src/main.rs"),
    suffixes=(".rs",),
    build="if [ -e Cargo.toml ]; then "
    f'{_OTHER_LOCK} CARGO_HOME="$PWD/.cargo-home" cargo build --release --offline'
    " --target-dir .target && find .target/release -maxdepth 1 -type f ! -name '*.*' -exec cp {} bot ';'"
    ' && rm -rf .target .cargo-home; else rustc --edition 2021 -O -o bot "$1"; fi',
    run=COMPILED,
    probes=(("rustc", "--version"), ("cargo", "--version")),
    asks_itself="rustc",
)

_GO_UNLOCKED = '{"Replace":{"go.mod":"go.mod","go.sum":"go.sum"}}'
"""Go locks the files of a module before it reads them, but for those of an overlay; a build has no locks."""

GO = Language(
    name="go",
    title="Go",
    entries=("main.go", "go.mod"),
    suffixes=(".go",),
    build='export GOCACHE="$PWD/.cache" GOPATH="$PWD/.path" TMPDIR="$PWD/.tmp" GOPROXY=off GOTOOLCHAIN=local'
    f" CGO_ENABLED=0; mkdir .tmp; if [ -e go.mod ]; then : >>go.sum; echo '{_GO_UNLOCKED}' >.overlay && go"
    " build -overlay .overlay -o bot .; else go build -o bot *.go; fi && rm -rf .cache .path .tmp .overlay",
    run=COMPILED,
    probes=(("go", "version"),),
    reserve_mb=768,
)

STATIC = Language(
    name="static",
    title="a static program",
    entries=("bot",),
    suffixes=(),
    run=("{folder}/{entry}",),
    probes=(("uname", "-m"),),
)

LANGUAGES: dict[str, Language] = {
    language.name: language
    for language in (PYTHON, C, CPP, JAVA, JAVASCRIPT, TYPESCRIPT, RUST, GO, CSHARP, STATIC)
}
"""Every language by its name."""

WITH, EXACTLY = ":", "@"
"""A bot that needs an environment has its language with that, `python:numpy`; a host that has built it says
also which one it is, by the digest of what is in it: `python:numpy@0123456789abcdef`."""


ADAPTED = "!"
"""It ends what a bot or work needs where the bot is started by an adapter: `c!`, `c+python:numpy!`."""
ADAPTERS = "adapters"
"""What a host that can start such bots has beside its languages."""


def plain(word: str) -> str:
    """The same without what it says of adapters."""
    return word.removesuffix(ADAPTED)


def with_environment(language: str, environment: str | None) -> str:
    """What a bot is written in, with the environment that it needs, if any."""
    return language if environment is None else f"{language}{WITH}{environment}"


def language_of(word: str) -> str:
    """The language in what a bot needs."""
    return plain(word).partition(WITH)[0]


def environment_of(word: str) -> str | None:
    """The name of the environment in what a bot needs, or a host has; None where there is none."""
    return plain(word).partition(WITH)[2].partition(EXACTLY)[0] or None


def exact(word: str) -> tuple[str, str | None]:
    """What a host has, as bots name it, and which one it is; None where that is no question."""
    name, _, digest = plain(word).partition(EXACTLY)
    return name, digest or None


def title_of(word: str) -> str | None:
    """What is said to people for what a bot needs; None for a language that is not known."""
    language, environment = LANGUAGES.get(language_of(word)), environment_of(word)
    if language is None:
        return None
    return language.title if environment is None else f"{language.title} + {environment}"
