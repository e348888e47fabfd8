"""A program under faults: tests/support/fail_at.c runs its main() many times, each in a fork with another fault."""
import os
import select
import shutil
import signal
import struct
import subprocess

KINDS = ["memory", "open", "read", "write", "fsync", "rename", "thread"]
NO_FAULT = "memory 0 once 0"
SECONDS = 300  # after which a run hangs, also on a busy machine: most take a hundredth of one


class Outcome:
    """How a run ended: exit status (None: hung; negative: a signal), outputs, files, operations."""

    def __init__(self, status, counts, out, err, files):
        self.status, self.counts, self.out, self.err, self.files = status, counts, out, err, files


def snapshot(folder):
    """Every name below a folder, with the content of files."""
    found = {}
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            found[entry.name + "/"] = b""
            for name, content in snapshot(entry.path).items():
                found[entry.name + "/" + name] = content
        else:
            with open(entry.path, "rb") as file:
                found[entry.name] = file.read()
    return found


def restore(folder, files):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)
    for name, content in sorted(files.items()):
        path = os.path.join(folder, name)
        if name.endswith("/"):
            os.mkdir(path)
        else:
            with open(path, "wb") as file:
                file.write(content)


class Server:
    def __init__(self, program, library, arguments, folder, scratch, stdin=os.devnull, environment=None):
        self.folder = folder
        self.out = open(os.path.join(scratch, "stdout"), "ab+")
        self.err = open(os.path.join(scratch, "stderr"), "ab+")
        request, self.requests = os.pipe()
        self.answers, answer = os.pipe()
        with open(stdin, "rb") as source:
            self.process = subprocess.Popen(
                [program, *arguments], cwd=folder, stdin=source, stdout=self.out, stderr=self.err,
                pass_fds=(request, answer),
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC0", "HOME": scratch,
                     "OMP_NUM_THREADS": "1", "LD_PRELOAD": library, "FAIL_SERVER": f"{request} {answer}",
                     "ASAN_OPTIONS": "verify_asan_link_order=0",
                     **(environment or {})})
        os.close(request)
        os.close(answer)

    def read(self, size, seconds=None):
        data = b""
        while len(data) < size:
            if not select.select([self.answers], [], [], seconds)[0]:
                return None
            more = os.read(self.answers, size - len(data))
            if not more:
                self.err.seek(0)
                raise RuntimeError("the program ended: " + self.err.read().decode(errors="replace"))
            data += more
        return data

    def run(self, fault):
        """Run once. The folder is left as the run left it."""
        self.out.truncate(0)
        self.err.truncate(0)
        os.write(self.requests, (fault + "\n").encode())
        child, = struct.unpack("i", self.read(4))
        size = 8 * (1 + len(KINDS))
        answer = self.read(size, SECONDS)
        hung = answer is None
        if hung:
            os.killpg(child, signal.SIGKILL)
            answer = self.read(size)
        status, *counts = struct.unpack(f"{1 + len(KINDS)}q", answer)
        self.out.seek(0)
        self.err.seek(0)
        code = None if hung else -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        return Outcome(code, dict(zip(KINDS, counts)), self.out.read(), self.err.read().decode(errors="replace"),
                       snapshot(self.folder))

    def close(self):
        os.close(self.requests)
        self.process.wait()
        os.close(self.answers)
        self.out.close()
        self.err.close()
