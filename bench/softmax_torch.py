#!/usr/bin/env python3
"""The chain of bench_softmax in PyTorch, one thread, for a comparison side by side.

Incremental: logits of all samples are kept; a proposal changes those of one class and takes the
log-sum-exp over the classes. Float32, as the fast path. Measured in both layouts: a matrix of samples by
classes, the usual one, where a class is a column; and classes by samples, where it is contiguous and
PyTorch is faster. Besides proposals at three stages, a whole annealing from beta 100 to 100,000 of as many steps as
the short one of bench_softmax, so that there is one ratio for all phases. Processor time of one thread. Prints one
JSON object.

usage: softmax_torch.py [FOLDER]   FOLDER has MNIST's IDX files; else random sparse images are used.
"""
import json
import math
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("softmax_torch.py: PyTorch is missing (Debian: python3-torch and libopenblas-dev)")

SAMPLES, FEATURES, CLASSES = 60000, 784, 10
STAGES = [("early", 112.0), ("middle", 2238.0), ("late", 28181.0)]
STEPS, RUNS = 200, 5
ANNEAL, ANNEAL_RUNS = 6000, 5  # SHORT_ANNEAL and WHOLE_RUNS of bench_softmax.c: the fastest counts


def load(folder):
    if folder is None:
        generator = torch.Generator().manual_seed(1)
        images = torch.randint(0, 256, (SAMPLES, FEATURES), generator=generator)
        images *= torch.rand(SAMPLES, FEATURES, generator=generator) < 0.19
        return images.float(), torch.randint(0, CLASSES, (SAMPLES,), generator=generator)
    with open(folder + "/train-images-idx3-ubyte", "rb") as file:
        images = torch.frombuffer(bytearray(file.read()[16:]), dtype=torch.uint8)
    with open(folder + "/train-labels-idx1-ubyte", "rb") as file:
        labels = torch.frombuffer(bytearray(file.read()[8:]), dtype=torch.uint8)
    return images.view(SAMPLES, FEATURES).float(), labels.long()


class Chain:
    def __init__(self, images, labels, by_sample):
        self.over = 1 if by_sample else 0  # the dimension of the classes
        self.columns = ((images / 255 - 0.1307) / 0.3081).t().contiguous()
        self.labels = labels
        self.weights = torch.randint(0, 2, (CLASSES, FEATURES)).float() * 2 - 1
        logits = self.weights @ self.columns
        self.logits = logits.t().contiguous() if by_sample else logits
        # the logits of each class, as views
        self.of_class = [self.logits.select(self.over, k) for k in range(CLASSES)]
        # what a weight of +1 adds to the sum of the labels' logits
        self.label_sum = torch.stack(
            [self.columns[:, labels == k].sum(1, dtype=torch.float64) for k in range(CLASSES)])
        self.lse = torch.logsumexp(self.logits, self.over).sum(dtype=torch.float64).item()

    def step(self, beta):
        k = int(torch.randint(0, CLASSES, ()))
        i = int(torch.randint(0, FEATURES, ()))
        spin = self.weights[k, i].item()
        old = self.of_class[k].clone()
        self.of_class[k].add_(self.columns[i], alpha=-2 * spin)
        lse = torch.logsumexp(self.logits, self.over).sum(dtype=torch.float64).item()
        delta = (lse - self.lse + 2 * spin * self.label_sum[k, i].item()) / SAMPLES
        if beta * delta <= -math.log(1 - torch.rand(()).item()):
            self.weights[k, i] = -spin
            self.lse = lse
            return 1
        self.of_class[k].copy_(old)
        return 0


def measure(data, by_sample):
    torch.manual_seed(1)
    chain = Chain(*data, by_sample)
    stages = []
    for name, beta in STAGES:
        fastest, accepted = math.inf, 0
        for _ in range(RUNS):
            start = time.process_time()
            for _ in range(STEPS):
                accepted += chain.step(beta)
            fastest = min(fastest, time.process_time() - start)
        stages.append({"stage": name, "beta": beta, "acceptance": accepted / (RUNS * STEPS),
                       "us_per_proposal": fastest / STEPS * 1e6,
                       "ns_per_sample_and_proposal": fastest / STEPS / SAMPLES * 1e9})
    return stages


def anneal(data, by_sample):
    fastest = math.inf
    for _ in range(ANNEAL_RUNS):
        torch.manual_seed(1)
        chain = Chain(*data, by_sample)
        start, accepted = time.process_time(), 0
        for t in range(ANNEAL):
            accepted += chain.step(100 * 1000 ** (t / ANNEAL))
        fastest = min(fastest, time.process_time() - start)
    return {"steps": ANNEAL, "acceptance": accepted / ANNEAL, "us_per_proposal": fastest / ANNEAL * 1e6}


def main():
    torch.set_num_threads(1)
    data = load(sys.argv[1] if len(sys.argv) > 1 else None)
    print(json.dumps({"bench": "softmax_torch", "torch": torch.__version__, "threads": 1,
                      "samples_by_classes": measure(data, True),
                      "classes_by_samples": measure(data, False),
                      "annealing": {"samples_by_classes": anneal(data, True),
                                    "classes_by_samples": anneal(data, False)}}, indent=1))


if __name__ == "__main__":
    main()
