#!/bin/sh
# A sweep as a job array of Slurm: every task makes its shard of the runs, and all write into one folder, which must
# lie on a disk that all machines share. Start it, and again to do what a task that was killed has left:
#   sbatch --array=1-64 examples/slurm/sweep.sh gamma.yaml --out /shared/gamma
#SBATCH --cpus-per-task=4
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@60
# Slurm sends TERM a minute before the time is over; spinney then saves the runs it is at, and the next start goes on.
exec spinney sweep "$@" --threads "${SLURM_CPUS_PER_TASK:-1}"
