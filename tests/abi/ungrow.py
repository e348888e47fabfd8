"""Undo, in a description of an ABI, the growth that the library allows: `ungrow.py OLD NEW > OUT`.

A struct that starts with its size may get members at its end. OUT is NEW with such members cut off and
the size of OLD, so that abidiff finds whatever else has changed: members moved, a struct that holds
the grown one, a member put into the padding, where its presence cannot be told from the size."""
import sys
import xml.etree.ElementTree as xml


def structs(root):
    return {s.get("name"): s for s in root.iter("class-decl") if s.get("size-in-bits")}


def members(struct):
    return struct.findall("data-member")


def says_its_size(struct):
    first = members(struct)[0].find("var-decl")
    return first.get("name") == "size"


def cut(struct, size):
    for member in members(struct):
        if int(member.get("layout-offset-in-bits")) >= size:
            struct.remove(member)
    struct.set("size-in-bits", str(size))


old, new = (xml.parse(path) for path in sys.argv[1:3])
news = structs(new.getroot())
for name, struct in structs(old.getroot()).items():
    if members(struct) and says_its_size(struct) and name in news:
        size = int(struct.get("size-in-bits"))
        if int(news[name].get("size-in-bits")) > size:
            cut(news[name], size)
            print(f"abi: {name} has grown", file=sys.stderr)
new.write(sys.stdout, encoding="unicode")
