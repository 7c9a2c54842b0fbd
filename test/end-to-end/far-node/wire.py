"""Runs a command where `node.example` is far away. Needs separate namespaces for network and mounts, and root.

    wire.py DELAY_MS LOST_SYNS COMMAND...

The name has two IPv4 addresses, behind both of which this machine answers at 10.77.0.1, and two IPv6 addresses without a
route. Each packet is on its way for DELAY_MS, and of each connection the first LOST_SYNS attempts are lost.
"""
import fcntl
import os
import selectors
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque

HOSTS = """127.0.0.1 localhost
10.77.0.2 node.example
10.77.0.3 node.example
2001:db8::2 node.example
2001:db8::3 node.example
"""
TUNSETIFF = 0x400454CA
IFF_TUN_WITHOUT_HEADER = 0x1001
TCP = 6
SYN, ACK = 0x02, 0x10


def run(*command):
    subprocess.run(command, check=True)


def open_wire():
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", b"far", IFF_TUN_WITHOUT_HEADER))
    run("ip", "link", "set", "lo", "up")
    run("ip", "address", "add", "10.77.0.1/24", "dev", "far")
    run("ip", "link", "set", "far", "up")
    with tempfile.NamedTemporaryFile("w") as hosts:
        hosts.write(HOSTS)
        hosts.flush()
        run("mount", "--bind", hosts.name, "/etc/hosts")
    return tun


def attempt_of(packet):
    """What names a connection, if the packet is the first one of a client."""
    header = (packet[0] & 15) * 4
    flags = packet[header + 13]
    if packet[9] != TCP or flags & (SYN | ACK) != SYN:
        return None
    return packet[12:20] + packet[header : header + 4]


def returned(packet):
    """The packet from its destination back to its source. Checksums are sums, so they stay right."""
    return packet[:12] + packet[16:20] + packet[12:16] + packet[20:]


def relay(tun, delay, lost_syns, is_running):
    under_way = deque()
    seen = Counter()
    selector = selectors.DefaultSelector()
    selector.register(tun, selectors.EVENT_READ)
    while is_running():
        now = time.monotonic()
        while under_way and under_way[0][0] <= now:
            os.write(tun, under_way.popleft()[1])
        wait = under_way[0][0] - now if under_way else 0.05
        if not selector.select(min(wait, 0.05)):
            continue
        packet = os.read(tun, 65536)
        if packet[0] >> 4 != 4:
            continue
        attempt = attempt_of(packet)
        if attempt is not None:
            seen[attempt] += 1
            if seen[attempt] <= lost_syns:
                continue
        under_way.append((time.monotonic() + delay, returned(packet)))


delay_ms, lost_syns, *command = sys.argv[1:]
tun = open_wire()
child = subprocess.Popen(command)
relay(tun, int(delay_ms) / 1000, int(lost_syns), lambda: child.poll() is None)
sys.exit(child.returncode)
