#!/bin/sh
# A sweep on the ranks of one job of Slurm's: rank 0 hands out the runs one by one, so none waits for a slow shard. The
# program must be built with MPI.
#   sbatch --ntasks=64 examples/slurm/mpi.sh gamma.yaml --out /shared/gamma
#SBATCH --time=12:00:00
exec mpirun spinney sweep "$@"
