# Made by scripts/make-stubs from the tables of the tasks; a test fails if it is out of date.
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Union, overload

import numpy as np

from ._running import Moment
from .classifier import OneBitClassifier as _OneBitClassifier
from .energies import Energy
from .results import Result

_Array = np.ndarray[Any, Any]
_Whole = Union[int, np.integer[Any], None]
_Real = Union[float, np.floating[Any], np.integer[Any], None]
_Flag = Union[bool, np.bool_, None]
_Text = Union[str, float, Sequence[Any], None]
_Range = Union[str, float, tuple[Any, ...], np.floating[Any], None]
_Wholes = Union[int, Sequence[int], str, None]
_Energy = Union[Energy, str, PathLike[str], None]

class TrainResult(Result):
    @property
    def summary(self) -> str: ...
    @property
    def train_loss(self) -> float: ...
    @property
    def train_accuracy(self) -> float: ...
    @property
    def train_balanced_accuracy(self) -> float: ...
    @property
    def train_macro_f1(self) -> float: ...
    @property
    def validation_loss(self) -> float: ...
    @property
    def validation_accuracy(self) -> float: ...
    @property
    def validation_balanced_accuracy(self) -> float: ...
    @property
    def validation_macro_f1(self) -> float: ...
    @property
    def test_loss(self) -> float: ...
    @property
    def test_accuracy(self) -> float: ...
    @property
    def test_balanced_accuracy(self) -> float: ...
    @property
    def test_macro_f1(self) -> float: ...
    @property
    def train_majority_accuracy(self) -> float: ...
    @property
    def validation_majority_accuracy(self) -> float: ...
    @property
    def test_majority_accuracy(self) -> float: ...
    @property
    def active(self) -> float: ...
    @property
    def centre_train_loss(self) -> float: ...
    @property
    def centre_train_accuracy(self) -> float: ...
    @property
    def centre_train_balanced_accuracy(self) -> float: ...
    @property
    def centre_train_macro_f1(self) -> float: ...
    @property
    def centre_validation_loss(self) -> float: ...
    @property
    def centre_validation_accuracy(self) -> float: ...
    @property
    def centre_validation_balanced_accuracy(self) -> float: ...
    @property
    def centre_validation_macro_f1(self) -> float: ...
    @property
    def centre_test_loss(self) -> float: ...
    @property
    def centre_test_accuracy(self) -> float: ...
    @property
    def centre_test_balanced_accuracy(self) -> float: ...
    @property
    def centre_test_macro_f1(self) -> float: ...
    @property
    def vote_train_loss(self) -> float: ...
    @property
    def vote_train_accuracy(self) -> float: ...
    @property
    def vote_train_balanced_accuracy(self) -> float: ...
    @property
    def vote_train_macro_f1(self) -> float: ...
    @property
    def vote_validation_loss(self) -> float: ...
    @property
    def vote_validation_accuracy(self) -> float: ...
    @property
    def vote_validation_balanced_accuracy(self) -> float: ...
    @property
    def vote_validation_macro_f1(self) -> float: ...
    @property
    def vote_test_loss(self) -> float: ...
    @property
    def vote_test_accuracy(self) -> float: ...
    @property
    def vote_test_balanced_accuracy(self) -> float: ...
    @property
    def vote_test_macro_f1(self) -> float: ...
    @property
    def best_train_loss(self) -> float: ...
    @property
    def best_train_accuracy(self) -> float: ...
    @property
    def best_train_balanced_accuracy(self) -> float: ...
    @property
    def best_train_macro_f1(self) -> float: ...
    @property
    def best_validation_loss(self) -> float: ...
    @property
    def best_validation_accuracy(self) -> float: ...
    @property
    def best_validation_balanced_accuracy(self) -> float: ...
    @property
    def best_validation_macro_f1(self) -> float: ...
    @property
    def best_test_loss(self) -> float: ...
    @property
    def best_test_accuracy(self) -> float: ...
    @property
    def best_test_balanced_accuracy(self) -> float: ...
    @property
    def best_test_macro_f1(self) -> float: ...
    @property
    def best_active(self) -> float: ...
    @property
    def best_replica(self) -> float: ...
    @property
    def cv_accuracy(self) -> float: ...
    @property
    def cv_accuracy_sd(self) -> float: ...
    @property
    def cv_balanced_accuracy(self) -> float: ...
    @property
    def cv_macro_f1(self) -> float: ...
    @property
    def cv_loss(self) -> float: ...
    @property
    def bits(self) -> float: ...
    @property
    def bytes(self) -> float: ...
    @property
    def vote_bits(self) -> float: ...
    @property
    def vote_bytes(self) -> float: ...
    @property
    def stop(self) -> str: ...
    @property
    def steps_done(self) -> float: ...
    @property
    def proposals(self) -> float: ...
    @property
    def beta_start(self) -> float: ...
    @property
    def beta_end(self) -> float: ...
    @property
    def health(self) -> str: ...
    @property
    def solved(self) -> float: ...
    @property
    def first_hit_steps(self) -> float: ...
    @property
    def first_hit_proposals(self) -> float: ...
    @property
    def first_hit_seconds(self) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'train_loss', 'train_accuracy', 'train_balanced_accuracy', 'train_macro_f1', 'validation_loss',
        'validation_accuracy', 'validation_balanced_accuracy', 'validation_macro_f1', 'test_loss',
        'test_accuracy', 'test_balanced_accuracy', 'test_macro_f1', 'train_majority_accuracy',
        'validation_majority_accuracy', 'test_majority_accuracy', 'active', 'centre_train_loss',
        'centre_train_accuracy', 'centre_train_balanced_accuracy', 'centre_train_macro_f1',
        'centre_validation_loss', 'centre_validation_accuracy', 'centre_validation_balanced_accuracy',
        'centre_validation_macro_f1', 'centre_test_loss', 'centre_test_accuracy',
        'centre_test_balanced_accuracy', 'centre_test_macro_f1', 'vote_train_loss', 'vote_train_accuracy',
        'vote_train_balanced_accuracy', 'vote_train_macro_f1', 'vote_validation_loss',
        'vote_validation_accuracy', 'vote_validation_balanced_accuracy', 'vote_validation_macro_f1',
        'vote_test_loss', 'vote_test_accuracy', 'vote_test_balanced_accuracy', 'vote_test_macro_f1',
        'best_train_loss', 'best_train_accuracy', 'best_train_balanced_accuracy', 'best_train_macro_f1',
        'best_validation_loss', 'best_validation_accuracy', 'best_validation_balanced_accuracy',
        'best_validation_macro_f1', 'best_test_loss', 'best_test_accuracy', 'best_test_balanced_accuracy',
        'best_test_macro_f1', 'best_active', 'best_replica', 'cv_accuracy', 'cv_accuracy_sd',
        'cv_balanced_accuracy', 'cv_macro_f1', 'cv_loss', 'bits', 'bytes', 'vote_bits', 'vote_bytes',
        'overlap', 'steps_done', 'proposals', 'beta_start', 'beta_end', 'seconds', 'solved',
        'first_hit_steps', 'first_hit_proposals', 'first_hit_seconds'
    ]) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'summary', 'stop', 'health'
    ]) -> str: ...
    @overload
    def __getitem__(self, name: Literal[
        'replicas.train_loss', 'replicas.train_accuracy', 'replicas.validation_loss',
        'replicas.validation_accuracy', 'replicas.test_loss', 'replicas.test_accuracy', 'replicas.active',
        'replicas.train_balanced_accuracy', 'replicas.train_macro_f1',
        'replicas.validation_balanced_accuracy', 'replicas.validation_macro_f1',
        'replicas.test_balanced_accuracy', 'replicas.test_macro_f1', 'folds.fold', 'folds.samples',
        'folds.loss', 'folds.accuracy', 'folds.balanced_accuracy', 'folds.macro_f1', 'overlaps.first',
        'overlaps.second', 'overlaps.overlap', 'flips.p', 'flips.accuracy', 'flips.low', 'flips.high',
        'profile.distance', 'profile.share', 'profile.energy', 'profile.half'
    ]) -> _Array: ...
    @overload
    def __getitem__(self, name: Literal[
        'flips', 'folds', 'overlaps', 'profile', 'replicas'
    ]) -> Mapping[str, _Array]: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...

class AnnealResult(Result):
    @property
    def cut(self) -> float: ...
    @property
    def best_energy(self) -> float: ...
    @property
    def energy(self) -> float: ...
    @property
    def lowest_energy(self) -> float: ...
    @property
    def solved_share(self) -> float: ...
    @property
    def active(self) -> float: ...
    @property
    def centre_energy(self) -> float: ...
    @property
    def stop(self) -> str: ...
    @property
    def steps_done(self) -> float: ...
    @property
    def proposals(self) -> float: ...
    @property
    def beta_start(self) -> float: ...
    @property
    def beta_end(self) -> float: ...
    @property
    def health(self) -> str: ...
    @property
    def solved(self) -> float: ...
    @property
    def first_hit_steps(self) -> float: ...
    @property
    def first_hit_proposals(self) -> float: ...
    @property
    def first_hit_seconds(self) -> float: ...
    @property
    def distinct(self) -> float: ...
    @property
    def best_reads(self) -> float: ...
    @property
    def hits(self) -> float: ...
    @property
    def success(self) -> float: ...
    @property
    def median_energy(self) -> float: ...
    @property
    def generalisation(self) -> float: ...
    @property
    def generalisation_se(self) -> float: ...
    @property
    def best_generalisation(self) -> float: ...
    @property
    def centre_generalisation(self) -> float: ...
    @property
    def vote_generalisation(self) -> float: ...
    @property
    def teacher_overlap(self) -> float: ...
    @property
    def best_teacher_overlap(self) -> float: ...
    @property
    def centre_teacher_overlap(self) -> float: ...
    @property
    def objective(self) -> float: ...
    @property
    def feasible(self) -> float: ...
    @property
    def violation(self) -> float: ...
    @property
    def violated(self) -> float: ...
    @property
    def broken(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def chance_better(self) -> float: ...
    @property
    def chance_better_low(self) -> float: ...
    @property
    def chance_better_high(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def gap(self) -> float: ...
    @property
    def found_reads(self) -> float: ...
    @property
    def feasible_reads(self) -> float: ...
    @property
    def distinct_solutions(self) -> float: ...
    @property
    def rounds_done(self) -> float: ...
    @property
    def rounds_found(self) -> float: ...
    @property
    def kept(self) -> float: ...
    @property
    def penalised(self) -> float: ...
    @property
    def presolved(self) -> float: ...
    @property
    def merged(self) -> float: ...
    @property
    def implied(self) -> float: ...
    @property
    def robust_objective(self) -> float: ...
    @property
    def robust_objective_error(self) -> float: ...
    @property
    def robust_feasible(self) -> float: ...
    @property
    def robust_feasible_error(self) -> float: ...
    @property
    def robust_violation(self) -> float: ...
    @property
    def robust_violation_error(self) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'cut', 'best_energy', 'energy', 'lowest_energy', 'solved_share', 'active', 'overlap',
        'centre_energy', 'steps_done', 'proposals', 'beta_start', 'beta_end', 'seconds', 'solved',
        'first_hit_steps', 'first_hit_proposals', 'first_hit_seconds', 'distinct', 'best_reads', 'hits',
        'success', 'median_energy', 'generalisation', 'generalisation_se', 'best_generalisation',
        'centre_generalisation', 'vote_generalisation', 'teacher_overlap', 'best_teacher_overlap',
        'centre_teacher_overlap', 'objective', 'feasible', 'violation', 'violated', 'chance_better',
        'chance_better_low', 'chance_better_high', 'bound', 'gap', 'found_reads', 'feasible_reads',
        'distinct_solutions', 'rounds_done', 'rounds_found', 'kept', 'penalised', 'presolved', 'merged',
        'implied', 'robust_objective', 'robust_objective_error', 'robust_feasible', 'robust_feasible_error',
        'robust_violation', 'robust_violation_error'
    ]) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'stop', 'health', 'broken', 'verdict'
    ]) -> str: ...
    @overload
    def __getitem__(self, name: Literal[
        'quantiles.p', 'quantiles.energy', 'reads.best_energy', 'reads.energy', 'reads.accepted',
        'reads.proposals', 'reads.steps', 'reads.hit', 'replicas.energy', 'replicas.best_energy',
        'replicas.accepted', 'replicas.proposals', 'overlaps.first', 'overlaps.second', 'overlaps.overlap',
        'flips.p', 'flips.accuracy', 'flips.low', 'flips.high', 'profile.distance', 'profile.share',
        'profile.energy', 'profile.half', 'reads.objective', 'reads.violation', 'reads.found'
    ]) -> _Array: ...
    @overload
    def __getitem__(self, name: Literal[
        'flips', 'overlaps', 'profile', 'quantiles', 'reads', 'replicas'
    ]) -> Mapping[str, _Array]: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...

class TemperResult(Result):
    @property
    def cut(self) -> float: ...
    @property
    def feasible(self) -> float: ...
    @property
    def objective(self) -> float: ...
    @property
    def best_energy(self) -> float: ...
    @property
    def energy(self) -> float: ...
    @property
    def log_z(self) -> float: ...
    @property
    def log_z_error(self) -> float: ...
    @property
    def log_z_low(self) -> float: ...
    @property
    def log_z_high(self) -> float: ...
    @property
    def log_z_kind(self) -> str: ...
    @property
    def entropy(self) -> float: ...
    @property
    def entropy_error(self) -> float: ...
    @property
    def barrier(self) -> float: ...
    @property
    def rung_count(self) -> float: ...
    @property
    def round_trips(self) -> float: ...
    @property
    def restarts(self) -> float: ...
    @property
    def jumps(self) -> float: ...
    @property
    def cluster(self) -> float: ...
    @property
    def scans_done(self) -> float: ...
    @property
    def stop(self) -> str: ...
    @property
    def steps_done(self) -> float: ...
    @property
    def proposals(self) -> float: ...
    @property
    def beta_start(self) -> float: ...
    @property
    def beta_end(self) -> float: ...
    @property
    def health(self) -> str: ...
    @property
    def solved(self) -> float: ...
    @property
    def first_hit_steps(self) -> float: ...
    @property
    def first_hit_proposals(self) -> float: ...
    @property
    def first_hit_seconds(self) -> float: ...
    @property
    def generalisation(self) -> float: ...
    @property
    def generalisation_se(self) -> float: ...
    @property
    def best_generalisation(self) -> float: ...
    @property
    def centre_generalisation(self) -> float: ...
    @property
    def vote_generalisation(self) -> float: ...
    @property
    def teacher_overlap(self) -> float: ...
    @property
    def best_teacher_overlap(self) -> float: ...
    @property
    def centre_teacher_overlap(self) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'cut', 'feasible', 'objective', 'best_energy', 'energy', 'overlap', 'log_z', 'log_z_error',
        'log_z_low', 'log_z_high', 'entropy', 'entropy_error', 'barrier', 'rung_count', 'round_trips',
        'restarts', 'jumps', 'cluster', 'scans_done', 'steps_done', 'proposals', 'beta_start', 'beta_end',
        'seconds', 'solved', 'first_hit_steps', 'first_hit_proposals', 'first_hit_seconds',
        'generalisation', 'generalisation_se', 'best_generalisation', 'centre_generalisation',
        'vote_generalisation', 'teacher_overlap', 'best_teacher_overlap', 'centre_teacher_overlap'
    ]) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'log_z_kind', 'stop', 'health'
    ]) -> str: ...
    @overload
    def __getitem__(self, name: Literal[
        'rungs.rung', 'rungs.beta', 'rungs.gamma', 'rungs.energy', 'rungs.energy_error', 'rungs.overlap',
        'rungs.log_z', 'rungs.log_z_error', 'rungs.entropy', 'rungs.acceptance', 'rungs.rejection',
        'rungs.visits', 'rungs.jumps', 'rungs.cluster'
    ]) -> _Array: ...
    @overload
    def __getitem__(self, name: Literal[
        'rungs'
    ]) -> Mapping[str, _Array]: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...

class PopulationResult(Result):
    @property
    def cut(self) -> float: ...
    @property
    def feasible(self) -> float: ...
    @property
    def objective(self) -> float: ...
    @property
    def best_energy(self) -> float: ...
    @property
    def energy(self) -> float: ...
    @property
    def energy_error(self) -> float: ...
    @property
    def log_z(self) -> float: ...
    @property
    def log_z_error(self) -> float: ...
    @property
    def log_z_low(self) -> float: ...
    @property
    def log_z_high(self) -> float: ...
    @property
    def entropy(self) -> float: ...
    @property
    def entropy_error(self) -> float: ...
    @property
    def rho(self) -> float: ...
    @property
    def families(self) -> float: ...
    @property
    def family_entropy(self) -> float: ...
    @property
    def point_count(self) -> float: ...
    @property
    def stop(self) -> str: ...
    @property
    def steps_done(self) -> float: ...
    @property
    def proposals(self) -> float: ...
    @property
    def beta_end(self) -> float: ...
    @property
    def health(self) -> str: ...
    @property
    def solved(self) -> float: ...
    @property
    def first_hit_steps(self) -> float: ...
    @property
    def first_hit_proposals(self) -> float: ...
    @property
    def first_hit_seconds(self) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'cut', 'feasible', 'objective', 'best_energy', 'energy', 'energy_error', 'overlap', 'log_z',
        'log_z_error', 'log_z_low', 'log_z_high', 'entropy', 'entropy_error', 'rho', 'families',
        'family_entropy', 'point_count', 'steps_done', 'proposals', 'beta_end', 'seconds', 'solved',
        'first_hit_steps', 'first_hit_proposals', 'first_hit_seconds'
    ]) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'stop', 'health'
    ]) -> str: ...
    @overload
    def __getitem__(self, name: Literal[
        'points.beta', 'points.gamma', 'points.energy', 'points.log_z', 'points.culled', 'points.families',
        'points.rho', 'points.acceptance'
    ]) -> _Array: ...
    @overload
    def __getitem__(self, name: Literal[
        'points'
    ]) -> Mapping[str, _Array]: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...

class EntropyResult(Result):
    @property
    def entropy_all(self) -> float: ...
    @property
    def entropy_all_error(self) -> float: ...
    @property
    def entropy_all_low(self) -> float: ...
    @property
    def entropy_all_high(self) -> float: ...
    @property
    def met_all(self) -> float: ...
    @property
    def best_energy(self) -> float: ...
    @property
    def health(self) -> str: ...
    @property
    def proposals(self) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'entropy_all', 'entropy_all_error', 'entropy_all_low', 'entropy_all_high', 'met_all', 'best_energy',
        'proposals', 'seconds'
    ]) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'health'
    ]) -> str: ...
    @overload
    def __getitem__(self, name: Literal[
        'local.distance', 'local.entropy', 'local.error', 'local.low', 'local.high', 'local.gamma',
        'local.overlap', 'local.met', 'local.found', 'centres.distance', 'centres.centre', 'centres.flips',
        'centres.energy', 'centres.entropy', 'centres.error', 'centres.low', 'centres.high',
        'centres.gamma', 'centres.beta', 'centres.overlap', 'centres.share', 'centres.met', 'centres.rungs',
        'centres.round_trips'
    ]) -> _Array: ...
    @overload
    def __getitem__(self, name: Literal[
        'centres', 'local'
    ]) -> Mapping[str, _Array]: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...

class EvalResult(Result):
    @property
    def summary(self) -> str: ...
    @property
    def loss(self) -> float: ...
    @property
    def accuracy(self) -> float: ...
    @property
    def balanced_accuracy(self) -> float: ...
    @property
    def macro_f1(self) -> float: ...
    @property
    def majority_accuracy(self) -> float: ...
    @property
    def roc_auc(self) -> float: ...
    @property
    def best_loss(self) -> float: ...
    @property
    def best_accuracy(self) -> float: ...
    @property
    def best_balanced_accuracy(self) -> float: ...
    @property
    def best_macro_f1(self) -> float: ...
    @property
    def centre_loss(self) -> float: ...
    @property
    def centre_accuracy(self) -> float: ...
    @property
    def centre_balanced_accuracy(self) -> float: ...
    @property
    def centre_macro_f1(self) -> float: ...
    @property
    def vote_loss(self) -> float: ...
    @property
    def vote_accuracy(self) -> float: ...
    @property
    def vote_balanced_accuracy(self) -> float: ...
    @property
    def vote_macro_f1(self) -> float: ...
    @property
    def bits(self) -> float: ...
    @property
    def bytes(self) -> float: ...
    @property
    def vote_bits(self) -> float: ...
    @property
    def vote_bytes(self) -> float: ...
    @property
    def best_replica(self) -> float: ...
    @property
    def samples(self) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'seconds', 'loss', 'accuracy', 'balanced_accuracy', 'macro_f1', 'majority_accuracy', 'roc_auc',
        'best_loss', 'best_accuracy', 'best_balanced_accuracy', 'best_macro_f1', 'centre_loss',
        'centre_accuracy', 'centre_balanced_accuracy', 'centre_macro_f1', 'vote_loss', 'vote_accuracy',
        'vote_balanced_accuracy', 'vote_macro_f1', 'bits', 'bytes', 'vote_bits', 'vote_bytes',
        'best_replica', 'samples'
    ]) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'summary'
    ]) -> str: ...
    @overload
    def __getitem__(self, name: Literal[
        'replicas.loss', 'replicas.accuracy', 'replicas.balanced_accuracy', 'replicas.macro_f1',
        'replicas.train_loss', 'classes.label', 'classes.precision', 'classes.recall', 'classes.f1',
        'classes.samples', 'confusions.replica', 'confusions.label', 'confusions.prediction',
        'confusions.count', 'flips.p', 'flips.accuracy', 'flips.low', 'flips.high', 'certified.flips',
        'certified.random', 'certified.random_low', 'certified.random_high', 'certified.worst'
    ]) -> _Array: ...
    @overload
    def __getitem__(self, name: Literal[
        'certified', 'classes', 'confusions', 'flips', 'replicas'
    ]) -> Mapping[str, _Array]: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...

class ExactResult(Result):
    @property
    def N(self) -> float: ...
    @property
    def E_min(self) -> float: ...
    @property
    def E_max(self) -> float: ...
    @property
    def minima_count(self) -> float: ...
    @property
    def B(self) -> float: ...
    @property
    def m(self) -> float: ...
    @property
    def d_star(self) -> float: ...
    @property
    def log_z_centre(self) -> float: ...
    @property
    def log_z(self) -> float: ...
    @property
    def mean_U(self) -> float: ...
    @property
    def prob_U0(self) -> float: ...
    @property
    def aligned_U0(self) -> float: ...
    @property
    def max_Q(self) -> float: ...
    @property
    def entropy(self) -> float: ...
    @property
    def entropy_P(self) -> float: ...
    @property
    def log_Gamma(self) -> float: ...
    @property
    def mu0_N0(self) -> float: ...
    @property
    def kappa1(self) -> float: ...
    @property
    def log_kappa1(self) -> float: ...
    @property
    def log_kappa2(self) -> float: ...
    @property
    def log_kappa2_bound(self) -> float: ...
    @property
    def B_prime(self) -> float: ...
    @property
    def psi(self) -> float: ...
    @property
    def gap_two_stage(self) -> float: ...
    @property
    def gap_one_stage(self) -> float: ...
    @property
    def gap_heat_bath(self) -> float: ...
    @property
    def gap_accuracy_two_stage(self) -> float: ...
    @property
    def gap_accuracy_one_stage(self) -> float: ...
    @property
    def gap_accuracy_heat_bath(self) -> float: ...
    @property
    def lambda_min_two_stage(self) -> float: ...
    @property
    def lambda_min_one_stage(self) -> float: ...
    @property
    def lambda_min_heat_bath(self) -> float: ...
    @property
    def acceptance_two_stage(self) -> float: ...
    @property
    def acceptance_one_stage(self) -> float: ...
    @property
    def acceptance_heat_bath(self) -> float: ...
    @property
    def M_two_stage(self) -> float: ...
    @property
    def M_one_stage(self) -> float: ...
    @property
    def M_heat_bath(self) -> float: ...
    @property
    def stationarity_two_stage(self) -> float: ...
    @property
    def stationarity_one_stage(self) -> float: ...
    @property
    def stationarity_heat_bath(self) -> float: ...
    @property
    def reversibility_two_stage(self) -> float: ...
    @property
    def reversibility_one_stage(self) -> float: ...
    @property
    def reversibility_heat_bath(self) -> float: ...
    @property
    def dense_states(self) -> float: ...
    @property
    def dense_minima(self) -> float: ...
    @property
    def share(self) -> float: ...
    @property
    def dense_apart(self) -> float: ...
    @property
    def dense_mass(self) -> float: ...
    @property
    def dense_mass_infinity(self) -> float: ...
    @property
    def dense_mass_gamma_infinity(self) -> float: ...
    @property
    def dense_mass_marginal(self) -> float: ...
    @property
    def dense_mass_bound(self) -> float: ...
    @property
    def best_gamma(self) -> float: ...
    @property
    def best_mass(self) -> float: ...
    @property
    def best_refined(self) -> float: ...
    @property
    def joint_states(self) -> float: ...
    @property
    def joint_gap(self) -> float: ...
    @property
    def joint_gap_accuracy(self) -> float: ...
    @property
    def joint_lambda_min(self) -> float: ...
    @property
    def joint_cold_gap(self) -> float: ...
    @property
    def joint_ratio(self) -> float: ...
    @property
    def joint_cold_share(self) -> float: ...
    @property
    def joint_rate_even_odd(self) -> float: ...
    @property
    def joint_rate_random(self) -> float: ...
    @property
    def epsilon(self) -> float: ...
    @property
    def total_variation(self) -> float: ...
    @property
    def theorem(self) -> float: ...
    @property
    def condition_met(self) -> float: ...
    @property
    def margin(self) -> float: ...
    @property
    def c(self) -> float: ...
    @property
    def log_kappa(self) -> float: ...
    @property
    def log_kappa3(self) -> float: ...
    @property
    def condition3_met(self) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'N', 'E_min', 'E_max', 'minima_count', 'B', 'm', 'd_star', 'log_z_centre', 'log_z', 'mean_U',
        'overlap', 'prob_U0', 'aligned_U0', 'max_Q', 'entropy', 'entropy_P', 'log_Gamma', 'mu0_N0',
        'kappa1', 'log_kappa1', 'log_kappa2', 'log_kappa2_bound', 'B_prime', 'psi', 'gap_two_stage',
        'gap_one_stage', 'gap_heat_bath', 'gap_accuracy_two_stage', 'gap_accuracy_one_stage',
        'gap_accuracy_heat_bath', 'lambda_min_two_stage', 'lambda_min_one_stage', 'lambda_min_heat_bath',
        'acceptance_two_stage', 'acceptance_one_stage', 'acceptance_heat_bath', 'M_two_stage',
        'M_one_stage', 'M_heat_bath', 'stationarity_two_stage', 'stationarity_one_stage',
        'stationarity_heat_bath', 'reversibility_two_stage', 'reversibility_one_stage',
        'reversibility_heat_bath', 'dense_states', 'dense_minima', 'share', 'dense_apart', 'dense_mass',
        'dense_mass_infinity', 'dense_mass_gamma_infinity', 'dense_mass_marginal', 'dense_mass_bound',
        'best_gamma', 'best_mass', 'best_refined', 'joint_states', 'joint_gap', 'joint_gap_accuracy',
        'joint_lambda_min', 'joint_cold_gap', 'joint_ratio', 'joint_cold_share', 'joint_rate_even_odd',
        'joint_rate_random', 'epsilon', 'total_variation', 'theorem', 'condition_met', 'margin', 'c',
        'log_kappa', 'log_kappa3', 'condition3_met', 'seconds'
    ]) -> float: ...
    @overload
    def __getitem__(self, name: Literal[
        'minima.state', 'states.state', 'states.energy', 'states.phi', 'states.P', 'density.radius',
        'density.isolated', 'density.fewest', 'density.mean', 'density.most', 'balls.radius', 'balls.k',
        'balls.exactly', 'balls.at_least', 'minima.nearest', 'rungs.rung', 'rungs.beta', 'rungs.log_z',
        'rungs.gap', 'rungs.share', 'rungs.exchange', 'stages.stage', 'stages.beta', 'stages.gamma',
        'stages.steps', 'stages.epsilon', 'stages.total_variation', 'stages.condition', 'stages.log_bound',
        'stages.condition3', 'stages.log_bound3'
    ]) -> _Array: ...
    @overload
    def __getitem__(self, name: Literal[
        'balls', 'density', 'minima', 'rungs', 'stages', 'states'
    ]) -> Mapping[str, _Array]: ...
    @overload
    def __getitem__(self, name: str) -> Any: ...

def train(
    data: Any = 'digits',
    labels: Any = None,
    test: Any = None,
    test_labels: Any = None,
    *,
    test_fraction: _Real = None,
    folds: _Whole = None,
    validation: _Real = None,
    subset: _Whole = None,
    split_seed: _Whole = 1,
    shifts: Union[Literal['0', '4', '8'], str, None] = '0',
    format: Union[Literal['auto', 'idx', 'csv', 'npy', 'svmlight', 'npz'], str, None] = 'auto',
    label_column: _Text = 'last',
    missing: Union[Literal['refuse', 'mean', 'zero'], str, None] = 'refuse',
    separator: Union[Literal['auto', 'comma', 'tab', 'semicolon', 'pipe', 'blank'], str, None] = 'auto',
    decimal: Union[Literal['auto', 'point', 'comma'], str, None] = 'auto',
    header: Union[Literal['auto', 'yes', 'no'], str, None] = 'auto',
    label_kind: Union[Literal['auto', 'classes'], str, None] = 'auto',
    drop: _Text = None,
    categories: _Text = None,
    scaling: _Text = 'auto',
    encode: _Text = 'auto',
    features: Union[Literal['exact', 'rounded'], str, None] = 'exact',
    preset: Union[Literal['default', 'paper', 'accurate', 'robust', 'network', 'tolerant'], str, None] = 'default',
    hidden: _Whole = None,
    hidden_bias: _Text = '0',
    propose: Union[Literal['all', 'varying'], str, None] = 'all',
    output_weight: _Whole = 1,
    faults: _Real = 0.0,
    margin: _Real = 0.0,
    fault_model: _Text = None,
    temperature: _Range = None,
    logit_scale: _Text = None,
    bias: _Text = 'auto',
    penalty: _Real = 0.0,
    balance: _Flag = False,
    losses: Union[Literal['floats', 'whole'], str, None] = 'floats',
    device: _Text = None,
    replicas: _Whole = 3,
    gamma: _Range = '0.5',
    gamma_schedule: _Text = None,
    coupling: Union[Literal['replicas', 'centre'], str, None] = 'replicas',
    centre_every: _Whole = None,
    beta: _Range = 'auto',
    beta_start: _Real = None,
    beta_end: _Real = None,
    schedule: _Text = None,
    steps: _Wholes = None,
    sweeps: _Whole = 1000,
    kernel: Union[Literal['two-stage', 'one-stage', 'heat-bath'], str, None] = 'two-stage',
    order: Union[Literal['replica-round', 'random', 'sequential'], str, None] = 'replica-round',
    moves: Union[Literal['plain', 'waiting', 'auto', 'levels'], str, None] = 'plain',
    init: Any = 'same',
    seed: _Whole = 1,
    threads: _Whole = 1,
    target: _Real = None,
    target_by: Union[Literal['any', 'all'], str, None] = 'any',
    patience: _Whole = None,
    time: _Real = None,
    stop_frozen: _Flag = False,
    flip: _Text = None,
    trials: _Whole = 1000,
    flip_mode: Union[Literal['independent', 'exact', 'draws'], str, None] = 'independent',
    profile_walks: _Whole = None,
    profile_reach: _Real = 0.1,
    profile_points: _Whole = 21,
    out: Any = None,
    checkpoint: Any = None,
    every: _Whole = None,
    keep_checkpoint: _Flag = False,
    trace: Any = None,
    trace_every: _Whole = None,
    observer: Union[Callable[[Moment], Any], None] = None,
    observe_every: Union[int, None] = None,
    progress: Union[bool, Callable[[float, str], Any], None] = False,
    history: Union[bool, None] = None,
) -> TrainResult: ...

def anneal(
    energy: _Energy = None,
    *,
    energy_options: _Text = None,
    energy_file: Any = None,
    patterns: Any = None,
    sites: _Whole = None,
    alpha: _Real = None,
    instance_seed: _Whole = None,
    random: _Text = None,
    teacher: _Flag = False,
    pattern_values: Union[Literal['signs', 'gaussian'], str, None] = None,
    kappa: _Real = None,
    units: _Whole = None,
    tree: _Flag = False,
    graph: Any = None,
    graph_format: Union[Literal['auto', 'rudy', 'qbsolv', 'coo', 'matrix-market', 'dense'], str, None] = None,
    offset: _Real = None,
    table: Any = None,
    minima: Any = None,
    code: _Text = None,
    ball: _Whole = None,
    problem: Any = None,
    problem_format: Union[Literal['auto', 'lp', 'qplib', 'coo', 'cnf', 'wcnf'], str, None] = None,
    fix: _Text = None,
    penalty: _Real = None,
    rounds: _Wholes = None,
    rank: Union[Literal['objective', 'robust'], str, None] = None,
    rank_changes: _Whole = None,
    rank_noise: _Real = None,
    rank_draws: _Whole = None,
    replicas: _Whole = 3,
    gamma: _Range = '0.5',
    gamma_schedule: _Text = None,
    coupling: Union[Literal['replicas', 'centre'], str, None] = 'replicas',
    centre_every: _Whole = None,
    beta: _Range = 'auto',
    beta_start: _Real = None,
    beta_end: _Real = None,
    schedule: _Text = None,
    steps: _Wholes = None,
    sweeps: _Whole = 1000,
    kernel: Union[Literal['two-stage', 'one-stage', 'heat-bath'], str, None] = 'two-stage',
    order: Union[Literal['replica-round', 'random', 'sequential'], str, None] = 'replica-round',
    moves: Union[Literal['plain', 'waiting', 'auto', 'levels'], str, None] = 'plain',
    init: Any = 'same',
    seed: _Whole = 1,
    threads: _Whole = 1,
    target: _Real = None,
    target_by: Union[Literal['any', 'all'], str, None] = 'any',
    patience: _Whole = None,
    time: _Real = None,
    stop_frozen: _Flag = False,
    reads: _Whole = None,
    engine: Union[Literal['auto', 'plain', 'lanes', 'words'], str, None] = None,
    device: _Text = None,
    flip: _Text = None,
    trials: _Whole = 1000,
    flip_mode: Union[Literal['independent', 'exact', 'draws'], str, None] = 'independent',
    profile_walks: _Whole = None,
    profile_reach: _Real = 0.1,
    profile_points: _Whole = 21,
    out: Any = None,
    checkpoint: Any = None,
    every: _Whole = None,
    keep_checkpoint: _Flag = False,
    trace: Any = None,
    trace_every: _Whole = None,
    observer: Union[Callable[[Moment], Any], None] = None,
    observe_every: Union[int, None] = None,
    progress: Union[bool, Callable[[float, str], Any], None] = False,
    history: Union[bool, None] = None,
) -> AnnealResult: ...

def temper(
    energy: _Energy = None,
    *,
    energy_options: _Text = None,
    energy_file: Any = None,
    patterns: Any = None,
    sites: _Whole = None,
    alpha: _Real = None,
    instance_seed: _Whole = None,
    random: _Text = None,
    teacher: _Flag = False,
    pattern_values: Union[Literal['signs', 'gaussian'], str, None] = None,
    kappa: _Real = None,
    units: _Whole = None,
    tree: _Flag = False,
    graph: Any = None,
    graph_format: Union[Literal['auto', 'rudy', 'qbsolv', 'coo', 'matrix-market', 'dense'], str, None] = None,
    offset: _Real = None,
    table: Any = None,
    minima: Any = None,
    code: _Text = None,
    ball: _Whole = None,
    problem: Any = None,
    problem_format: Union[Literal['auto', 'lp', 'qplib', 'coo', 'cnf', 'wcnf'], str, None] = None,
    fix: _Text = None,
    penalty: _Real = None,
    beta: _Range = '0:auto',
    gamma: _Range = '0.5',
    rungs: _Text = 'auto',
    ladder: _Text = None,
    rounds: _Whole = None,
    scans: _Whole = 4096,
    scan_sweeps: _Real = 1.0,
    method: Union[Literal['swap', 'simulated', 'equi-energy'], str, None] = 'swap',
    clusters: _Whole = 0,
    keep_every: _Whole = None,
    replicas: _Whole = 3,
    coupling: Union[Literal['replicas', 'centre'], str, None] = 'replicas',
    centre_every: _Whole = None,
    kernel: Union[Literal['two-stage', 'one-stage', 'heat-bath'], str, None] = 'two-stage',
    order: Union[Literal['replica-round', 'random', 'sequential'], str, None] = 'replica-round',
    seed: _Whole = 1,
    threads: _Whole = 1,
    target: _Real = None,
    time: _Real = None,
    out: Any = None,
    checkpoint: Any = None,
    every: _Whole = None,
    keep_checkpoint: _Flag = False,
    trace: Any = None,
    trace_every: _Whole = None,
    observer: Union[Callable[[Moment], Any], None] = None,
    observe_every: Union[int, None] = None,
    progress: Union[bool, Callable[[float, str], Any], None] = False,
    history: Union[bool, None] = None,
) -> TemperResult: ...

def population(
    energy: _Energy = None,
    *,
    energy_options: _Text = None,
    energy_file: Any = None,
    patterns: Any = None,
    sites: _Whole = None,
    alpha: _Real = None,
    instance_seed: _Whole = None,
    random: _Text = None,
    teacher: _Flag = False,
    pattern_values: Union[Literal['signs', 'gaussian'], str, None] = None,
    kappa: _Real = None,
    units: _Whole = None,
    tree: _Flag = False,
    graph: Any = None,
    graph_format: Union[Literal['auto', 'rudy', 'qbsolv', 'coo', 'matrix-market', 'dense'], str, None] = None,
    offset: _Real = None,
    table: Any = None,
    minima: Any = None,
    code: _Text = None,
    ball: _Whole = None,
    problem: Any = None,
    problem_format: Union[Literal['auto', 'lp', 'qplib', 'coo', 'cnf', 'wcnf'], str, None] = None,
    fix: _Text = None,
    penalty: _Real = None,
    groups: _Whole = 1024,
    beta: _Text = 'auto',
    gamma: _Range = '0.5',
    culled: _Real = 0.1,
    points: _Whole = None,
    sweeps: _Real = 10.0,
    engine: Union[Literal['auto', 'plain', 'lanes', 'words'], str, None] = None,
    replicas: _Whole = 3,
    coupling: Union[Literal['replicas', 'centre'], str, None] = 'replicas',
    centre_every: _Whole = None,
    kernel: Union[Literal['two-stage', 'one-stage', 'heat-bath'], str, None] = 'two-stage',
    order: Union[Literal['replica-round', 'random', 'sequential'], str, None] = 'replica-round',
    seed: _Whole = 1,
    threads: _Whole = 1,
    target: _Real = None,
    time: _Real = None,
    out: Any = None,
    checkpoint: Any = None,
    every: _Whole = None,
    keep_checkpoint: _Flag = False,
    trace: Any = None,
    trace_every: _Whole = None,
    observer: Union[Callable[[Moment], Any], None] = None,
    observe_every: Union[int, None] = None,
    progress: Union[bool, Callable[[float, str], Any], None] = False,
    history: Union[bool, None] = None,
) -> PopulationResult: ...

def entropy(
    energy: _Energy = None,
    *,
    energy_options: _Text = None,
    energy_file: Any = None,
    patterns: Any = None,
    sites: _Whole = None,
    alpha: _Real = None,
    instance_seed: _Whole = None,
    random: _Text = None,
    teacher: _Flag = False,
    pattern_values: Union[Literal['signs', 'gaussian'], str, None] = None,
    kappa: _Real = None,
    units: _Whole = None,
    tree: _Flag = False,
    graph: Any = None,
    graph_format: Union[Literal['auto', 'rudy', 'qbsolv', 'coo', 'matrix-market', 'dense'], str, None] = None,
    offset: _Real = None,
    table: Any = None,
    minima: Any = None,
    code: _Text = None,
    ball: _Whole = None,
    problem: Any = None,
    problem_format: Union[Literal['auto', 'lp', 'qplib', 'coo', 'cnf', 'wcnf'], str, None] = None,
    fix: _Text = None,
    penalty: _Real = None,
    distance: _Text = None,
    up_to: _Real = 0.0,
    all: _Flag = False,
    state: Any = None,
    around: Union[Literal['best', 'replicas', 'centre', 'teacher'], str, None] = 'best',
    cold: _Real = None,
    rungs: _Whole = None,
    scans: _Whole = 2048,
    rounds: _Whole = None,
    scan_sweeps: _Real = 1.0,
    replicas: _Whole = 3,
    gamma: _Range = '0.5',
    gamma_schedule: _Text = None,
    coupling: Union[Literal['replicas', 'centre'], str, None] = 'replicas',
    centre_every: _Whole = None,
    beta: _Range = 'auto',
    beta_start: _Real = None,
    beta_end: _Real = None,
    schedule: _Text = None,
    steps: _Wholes = None,
    sweeps: _Whole = 1000,
    kernel: Union[Literal['two-stage', 'one-stage', 'heat-bath'], str, None] = 'two-stage',
    order: Union[Literal['replica-round', 'random', 'sequential'], str, None] = 'replica-round',
    moves: Union[Literal['plain', 'waiting', 'auto', 'levels'], str, None] = 'plain',
    init: Any = 'same',
    seed: _Whole = 1,
    threads: _Whole = 1,
    target: _Real = None,
    target_by: Union[Literal['any', 'all'], str, None] = 'any',
    patience: _Whole = None,
    time: _Real = None,
    stop_frozen: _Flag = False,
    observer: Union[Callable[[Moment], Any], None] = None,
    observe_every: Union[int, None] = None,
    progress: Union[bool, Callable[[float, str], Any], None] = False,
    history: Union[bool, None] = None,
) -> EntropyResult: ...

def evaluate(
    model: Any = None,
    data: Any = None,
    labels: Any = None,
    test: Any = None,
    test_labels: Any = None,
    *,
    part: Union[Literal['test', 'train'], str, None] = 'test',
    format: Union[Literal['auto', 'idx', 'csv', 'npy', 'svmlight', 'npz'], str, None] = 'auto',
    label_column: _Text = 'last',
    missing: Union[Literal['refuse', 'mean', 'zero'], str, None] = 'refuse',
    separator: Union[Literal['auto', 'comma', 'tab', 'semicolon', 'pipe', 'blank'], str, None] = 'auto',
    decimal: Union[Literal['auto', 'point', 'comma'], str, None] = 'auto',
    header: Union[Literal['auto', 'yes', 'no'], str, None] = 'auto',
    flip: _Text = None,
    trials: _Whole = 1000,
    flip_mode: Union[Literal['independent', 'exact', 'draws'], str, None] = 'independent',
    replica: _Text = 'all',
    flip_layer: Union[Literal['all', 'hidden', 'output'], str, None] = 'all',
    certify: _Flag = False,
    fault_model: _Text = None,
    seed: _Whole = 1,
    threads: _Whole = 1,
    observer: Union[Callable[[Moment], Any], None] = None,
    observe_every: Union[int, None] = None,
    progress: Union[bool, Callable[[float, str], Any], None] = False,
    history: Union[bool, None] = None,
) -> EvalResult: ...

def exact(
    energy: _Energy = None,
    *,
    energy_options: _Text = None,
    energy_file: Any = None,
    patterns: Any = None,
    sites: _Whole = None,
    alpha: _Real = None,
    instance_seed: _Whole = None,
    random: _Text = None,
    teacher: _Flag = False,
    pattern_values: Union[Literal['signs', 'gaussian'], str, None] = None,
    kappa: _Real = None,
    units: _Whole = None,
    tree: _Flag = False,
    graph: Any = None,
    graph_format: Union[Literal['auto', 'rudy', 'qbsolv', 'coo', 'matrix-market', 'dense'], str, None] = None,
    offset: _Real = None,
    table: Any = None,
    minima: Any = None,
    code: _Text = None,
    ball: _Whole = None,
    problem: Any = None,
    problem_format: Union[Literal['auto', 'lp', 'qplib', 'coo', 'cnf', 'wcnf'], str, None] = None,
    fix: _Text = None,
    penalty: _Real = None,
    replicas: _Whole = 2,
    beta: _Real = 1.0,
    gamma: _Real = 0.5,
    no_law: _Flag = False,
    kernel: _Text = 'two-stage,one-stage',
    gap: Union[Literal['auto', 'always', 'never'], str, None] = 'auto',
    no_chain: _Flag = False,
    density: _Flag = False,
    dense_center: _Text = None,
    dense_radius: _Whole = None,
    dense: Any = None,
    best_gamma: _Text = None,
    schedule: _Text = None,
    steps: _Whole = None,
    gamma_schedule: _Text = None,
    start: _Text = None,
    joint: Union[Literal['none', 'swapping', 'simulated', 'equi-energy'], str, None] = 'none',
    rungs: _Whole = 3,
    ladder: _Text = None,
    exchanges: _Real = 0.5,
    weight_errors: _Text = None,
    rings: _Text = None,
    threads: _Whole = None,
    observer: Union[Callable[[Moment], Any], None] = None,
    observe_every: Union[int, None] = None,
    progress: Union[bool, Callable[[float, str], Any], None] = False,
    history: Union[bool, None] = None,
) -> ExactResult: ...

class OneBitClassifier(_OneBitClassifier):
    def __init__(
        self,
        *,
        validation: _Real = None,
        subset: _Whole = None,
        split_seed: _Whole = None,
        shifts: Union[Literal['0', '4', '8'], str, None] = None,
        scaling: _Text = None,
        encode: _Text = None,
        features: Union[Literal['exact', 'rounded'], str, None] = None,
        preset: Union[Literal['default', 'paper', 'accurate', 'robust', 'network', 'tolerant'], str, None] = None,
        hidden: _Whole = None,
        hidden_bias: _Text = None,
        propose: Union[Literal['all', 'varying'], str, None] = None,
        output_weight: _Whole = None,
        faults: _Real = None,
        margin: _Real = None,
        fault_model: _Text = None,
        temperature: _Range = None,
        logit_scale: _Text = None,
        bias: _Text = None,
        penalty: _Real = None,
        losses: Union[Literal['floats', 'whole'], str, None] = None,
        device: _Text = None,
        replicas: _Whole = None,
        gamma: _Range = None,
        gamma_schedule: _Text = None,
        coupling: Union[Literal['replicas', 'centre'], str, None] = None,
        centre_every: _Whole = None,
        beta: _Range = None,
        beta_start: _Real = None,
        beta_end: _Real = None,
        schedule: _Text = None,
        steps: _Wholes = None,
        sweeps: _Whole = None,
        kernel: Union[Literal['two-stage', 'one-stage', 'heat-bath'], str, None] = None,
        order: Union[Literal['replica-round', 'random', 'sequential'], str, None] = None,
        moves: Union[Literal['plain', 'waiting', 'auto', 'levels'], str, None] = None,
        init: Any = None,
        target: _Real = None,
        target_by: Union[Literal['any', 'all'], str, None] = None,
        patience: _Whole = None,
        time: _Real = None,
        stop_frozen: _Flag = None,
        class_weight: Union[str, Mapping[Any, float], None] = None,
        warm_start: bool = False,
        random_state: Any = None,
        n_jobs: Union[int, None] = None,
        verbose: Union[bool, int] = 0,
        replica: Union[str, int] = 'best',
        image: Union[tuple[int, int], None] = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OneBitClassifier: ...
