/* Checkpoints: the file, and the states of chains and of ladders in it. A state is a valid one with
   edits; where it is taken, the run goes on, and what is saved then is loaded again as the same. */
#include "check.h"
#include "edits.h"
#include "targets.h"

#include "record/record.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/ladder.h>
#include <xxhash.h>

/* ---- the file ---- */

/* The layout of the head: magic, version, sizes of settings and state, steps. */
enum { HEAD = 40, SUM = 8 };

static void put_u64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

/* A file with these settings and this state, and the right checksum. */
static spn_bytes_edited file_of(const char *settings, const uint8_t *state, size_t state_size)
{
    const size_t length = strlen(settings), size = HEAD + length + state_size + SUM;
    uint8_t *file = malloc(size);
    require(file != NULL);
    memcpy(file, "SPNCHKP", 8);
    put_u64(file + 8, 3);
    put_u64(file + 16, length);
    put_u64(file + 24, state_size);
    put_u64(file + 32, 77);
    memcpy(file + HEAD, settings, length);
    if (state_size)
        memcpy(file + HEAD + length, state, state_size);
    put_u64(file + size - SUM, XXH3_64bits(file, size - SUM));
    return (spn_bytes_edited){file, size};
}

static void check_file(const spn_bytes_edited *file, const char *settings)
{
    spn_checkpoint c;
    spn_error err = {0};
    const spn_status status =
        spn_checkpoint_parse(&c, (const char *)file->data, file->size, INPUT, &err);
    check_error(status, &err, INPUT);
    require((status == SPN_OK) == (c.settings != NULL));
    if (status == SPN_OK) {
        require(c.state_size <= file->size && strlen(c.settings) <= file->size);
        check_error(spn_checkpoint_match(&c, settings, INPUT, &err), &err, INPUT);
        check_error(spn_checkpoint_match(&c, "a 1\nb 2\ninstructions \"x\"\n", INPUT, &err), &err,
                    INPUT);
        check_error(spn_checkpoint_match(&c, c.settings, INPUT, &err), &err, INPUT);
    }
    spn_checkpoint_clear(&c);
}

/* Byte 0: its low half is the number of bytes of edits of the whole file, made before the checksum
   is put right again if bit 7 is set. Then the edits; then the settings up to a NUL, ours up to
   another; the rest is the state. */
void spn_fuzz_checkpoint(const uint8_t *data, size_t size)
{
    if (size < 1 || size < 1u + data[0] % 16)
        return;
    const size_t edits = data[0] % 16;
    const uint8_t *at = data + 1 + edits, *end = data + size;
    char *texts[2];
    for (size_t k = 0; k < 2; k++) {
        const uint8_t *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        texts[k] = text_of(at, (size_t)((stop ? stop : end) - at));
        at = stop ? stop + 1 : end;
    }
    spn_bytes_edited file = file_of(texts[0], at, (size_t)(end - at));
    apply_edits(&file, data + 1, edits);
    if (data[0] & 128 && file.size >= SUM)
        put_u64(file.data + file.size - SUM, XXH3_64bits(file.data, file.size - SUM));
    check_file(&file, texts[1]);
    free(file.data);
    free(texts[0]);
    free(texts[1]);
}

/* ---- chains ---- */

enum { SITES = 9, STEPS = 200 };

static spn_energy *make_energy(const char *name)
{
    spn_problem *problem;
    spn_energy *energy;
    spn_error err = {0};
    const bool patterns = strcmp(name, "errors") == 0;
    const spn_edge edges[] = {{0, 1, 1}, {1, 2, -1}, {2, 3, 2}, {4, 5, -3}, {7, 8, 1}};
    require((patterns ? spn_problem_random_patterns(&problem, SITES, 5, 1, false, &err)
                      : spn_problem_couplings_create(&problem, SITES, 5, edges, &err)) == SPN_OK);
    require(spn_energy_create(&energy, name, problem, &err) == SPN_OK);
    spn_problem_free(problem);
    return energy;
}

/* How a chain of the given kind is made. */
static spn_chain_options options_of(uint8_t kind)
{
    static const int8_t centre[SITES] = {1, 1, -1, 1, -1, 1, 1, 1, -1};
    static const uint32_t proposed[] = {0, 2, 4};
    spn_chain_options o = spn_chain_defaults();
    o.replicas = kind & 1 ? 2 : 1;
    o.steps = STEPS;
    o.order = (spn_order)(kind / 2 % 3);
    switch (kind / 8 % 6) {
    case 1:
        o.coupling = SPN_COUPLING_CENTRE;
        o.centre_every = 7;
        break;
    case 2:
        o.coupling = SPN_COUPLING_GIVEN;
        o.centre = centre;
        break;
    case 3:
        o.moves = SPN_MOVES_WAITING;
        o.order = (spn_order)(kind / 2 % 2);
        break;
    case 4:
        o.proposed = proposed;
        o.proposed_count = 3;
        break;
    case 5:
        o.steps = 0;
        o.stretch = 1;
        o.seconds = 1e-9;
        break;
    default:
        break;
    }
    return o;
}

/* Two energies and two schedules, made once and never changed. */
static const spn_energy *energy_of(uint8_t kind)
{
    static spn_energy *errors, *ising;
    if (!errors) {
        errors = make_energy("errors");
        ising = make_energy("ising");
    }
    return kind / 8 % 6 == 3 || kind & 128 ? ising : errors;
}

static void set_schedules(spn_chain_options *o)
{
    static spn_schedule *beta, *gamma;
    spn_error err = {0};
    if (!beta)
        require(!spn_schedule_linear(&beta, 0.1, 3, &err) &&
                !spn_schedule_linear(&gamma, 0.2, 1, &err));
    o->beta = beta;
    o->gamma = gamma;
}

/* Asks for a stop once it was called so often: a forged state may have long to go. */
typedef struct brake {
    volatile sig_atomic_t stop;
    int left;
} brake;

static spn_status observe(void *context, const spn_progress *progress, spn_error *err)
{
    brake *b = context;
    (void)err;
    require(progress->share >= 0 && progress->share <= 1);
    require(!progress->state || progress->state->sites == SITES);
    if (b->left-- <= 0)
        b->stop = 1;
    return SPN_OK;
}

/* Run with the brake on: look after every so many steps. */
static spn_status run_braked(spn_sampler *sampler, brake *b, uint64_t every, spn_error *err)
{
    spn_until until = spn_until_defaults();
    spn_stop stop;
    until.stop = &b->stop;
    until.observer = observe;
    until.context = b;
    until.observe_every = every;
    return spn_sampler_run(&stop, sampler, &until, err);
}

static spn_sampler *make_chain(uint8_t kind)
{
    spn_chain_options o = options_of(kind);
    spn_sampler *chain;
    spn_error err = {0};
    set_schedules(&o);
    require(spn_chain_create(&chain, energy_of(kind), &o, &err) == SPN_OK);
    return chain;
}

static void check_snapshot(const spn_snapshot *s, const spn_energy *energy)
{
    for (size_t k = 0; k < s->replicas * s->sites; k++)
        require(s->spins[k] == 1 || s->spins[k] == -1);
    for (size_t a = 0; a < s->replicas; a++)
        require(s->energy[a] == spn_energy_value(energy, s->spins + a * s->sites));
}

/* The bytes of a chain that was loaded load again, and are the same. */
static void save_again(const spn_sampler *chain, uint8_t kind)
{
    void *bytes, *same;
    size_t size, same_size;
    spn_error err = {0};
    spn_sampler *again = make_chain(kind);
    require(spn_sampler_save(&bytes, &size, chain, &err) == SPN_OK);
    require(spn_sampler_load(again, bytes, size, &err) == SPN_OK);
    require(spn_sampler_save(&same, &same_size, again, &err) == SPN_OK);
    require(size == same_size && memcmp(bytes, same, size) == 0);
    free(bytes);
    free(same);
    spn_sampler_free(again);
}

static void load_chain(uint8_t kind, const spn_bytes_edited *state)
{
    spn_error err = {0};
    brake b = {.left = 3};
    spn_sampler *chain = make_chain(kind);
    const spn_status status = spn_sampler_load(chain, state->data, state->size, &err);
    check_error(status, &err, NULL);
    if (status == SPN_OK) {
        spn_snapshot s;
        spn_chain_snapshot(&s, chain);
        check_snapshot(&s, energy_of(kind));
        save_again(chain, kind);
        check_error(run_braked(chain, &b, 50, &err), &err, NULL);
        spn_chain_snapshot(&s, chain);
        check_snapshot(&s, energy_of(kind));
        (void)spn_sampler_health(chain);
    }
    spn_sampler_free(chain);
}

/* A copy of bytes, to be freed. */
static spn_bytes_edited copy_bytes(spn_bytes_edited from)
{
    const spn_source copy = copy_of(from.data, from.size);
    return (spn_bytes_edited){copy.owned, copy.size};
}

enum { KINDS = 256, PAUSES = 4 };

/* What a chain of this kind saves after so many times 50 steps; made once. */
static spn_bytes_edited chain_state(uint8_t kind, uint8_t pause)
{
    static spn_bytes_edited states[KINDS][PAUSES];
    spn_bytes_edited *state = &states[kind][pause];
    spn_error err = {0};
    if (!state->data) {
        void *bytes;
        brake b = {.left = pause};
        spn_sampler *chain = make_chain(kind);
        if (pause > 0)
            require(run_braked(chain, &b, 50, &err) == SPN_OK);
        require(spn_sampler_save(&bytes, &state->size, chain, &err) == SPN_OK);
        state->data = bytes;
        spn_sampler_free(chain);
    }
    return *state;
}

/* Byte 0: the kind of the chain; byte 1: how many times 50 steps it made before it was saved. The
   rest are edits of the saved state, or, with bit 7 of byte 1, the state itself. */
void spn_fuzz_chain(const uint8_t *data, size_t size)
{
    if (size < 2)
        return;
    const bool is_raw = data[1] & 128;
    spn_bytes_edited state = copy_bytes(is_raw ? (spn_bytes_edited){(uint8_t *)data + 2, size - 2}
                                               : chain_state(data[0], data[1] % PAUSES));
    if (!is_raw)
        apply_edits(&state, data + 2, size - 2);
    load_chain(data[0], &state);
    free(state.data);
}

/* ---- ladders ---- */

enum { LADDERS = 128, LADDER_PAUSES = 8 };

static spn_sampler *make_ladder(uint8_t kind)
{
    spn_chain_options chain = options_of(kind & 1);
    spn_ladder_options o = spn_ladder_defaults();
    spn_error err = {0};
    spn_sampler *ladder;
    o.chain = &chain;
    o.beta_last = 2;
    o.gamma_last = 0.5;
    o.rungs = kind & 64 ? 0 : 3;
    o.scans = 6;
    o.rounds = 2;
    o.scan_steps = 8;
    o.method = (spn_ladder_method)(kind / 8 % 3);
    o.keep = kind & 32 ? 2 : 0;
    require(spn_ladder_create(&ladder, energy_of(128), &o, &err) == SPN_OK);
    return ladder;
}

/* A ladder takes long to make and may be loaded into as often as one likes, so that there is one of
   each kind. */
static spn_sampler *ladder_of(spn_sampler **kept, uint8_t kind)
{
    if (!kept[kind])
        kept[kind] = make_ladder(kind);
    return kept[kind];
}

/* What a ladder of this kind saves after so many scans; made once. */
static spn_bytes_edited ladder_state(uint8_t kind, uint8_t pause)
{
    static spn_bytes_edited states[LADDERS][LADDER_PAUSES];
    spn_bytes_edited *state = &states[kind][pause];
    spn_error err = {0};
    if (!state->data) {
        void *bytes;
        brake b = {.left = pause};
        spn_sampler *ladder = make_ladder(kind);
        if (pause > 0)
            require(run_braked(ladder, &b, 1, &err) == SPN_OK);
        require(spn_sampler_save(&bytes, &state->size, ladder, &err) == SPN_OK);
        state->data = bytes;
        spn_sampler_free(ladder);
    }
    return *state;
}

/* The bytes of a ladder that was loaded load again, and are the same but for the time. */
static void save_ladder_again(const spn_sampler *ladder, uint8_t kind)
{
    static spn_sampler *others[LADDERS];
    void *bytes, *same;
    size_t size, same_size;
    spn_error err = {0};
    spn_sampler *again = ladder_of(others, kind);
    require(spn_sampler_save(&bytes, &size, ladder, &err) == SPN_OK);
    require(spn_sampler_load(again, bytes, size, &err) == SPN_OK);
    require(spn_sampler_save(&same, &same_size, again, &err) == SPN_OK);
    require(size == same_size && memcmp(bytes, same, size) == 0);
    spn_free(bytes);
    spn_free(same);
}

static void load_ladder(uint8_t kind, const spn_bytes_edited *state)
{
    static spn_sampler *ladders[LADDERS];
    spn_error err = {0};
    brake b = {.left = 3};
    spn_sampler *ladder = ladder_of(ladders, kind);
    const spn_bytes_edited start = ladder_state(kind, 0); /* so that no input sees another's */
    require(spn_sampler_load(ladder, start.data, start.size, &err) == SPN_OK);
    const spn_status status = spn_sampler_load(ladder, state->data, state->size, &err);
    check_error(status, &err, NULL);
    if (status)
        return;
    save_ladder_again(ladder, kind);
    check_error(run_braked(ladder, &b, 1, &err), &err, NULL);
    for (size_t w = 0; w < spn_ladder_walkers(ladder); w++) {
        spn_snapshot s;
        spn_ladder_walker(&s, ladder, w);
        check_snapshot(&s, energy_of(128));
    }
}

/* As spn_fuzz_chain, with scans for steps. */
void spn_fuzz_ladder(const uint8_t *data, size_t size)
{
    if (size < 2)
        return;
    const uint8_t kind = data[0] % LADDERS & 0x79;
    spn_bytes_edited state = copy_bytes(ladder_state(kind, data[1] % LADDER_PAUSES));
    apply_edits(&state, data + 2, size - 2);
    load_ladder(kind, &state);
    free(state.data);
}

/* ---- rows of traces ---- */

/* Byte 0: replicas; the rest is what was kept. */
void spn_fuzz_rows(const uint8_t *data, size_t size)
{
    if (size < 1)
        return;
    const size_t replicas = 1 + data[0] % 3;
    spn_trace_rows rows = spn_trace_rows_start(replicas, data[0] & 4 ? 1000 : 0, 1, 0);
    spn_error err = {0};
    spn_source kept = copy_of(data + 1, size - 1);
    uint64_t head[5] = {replicas, 0, 1, 2, 8};
    if (data[0] & 128 && kept.size >= sizeof head) { /* the size fits */
        head[1] = (kept.size - sizeof head) / ((6 + 2 * replicas) * sizeof(double));
        memcpy(kept.owned, head, 2 * sizeof *head);
    }
    const spn_status status = spn_trace_rows_load(&rows, kept.data, kept.size, &err);
    check_error(status, &err, NULL);
    if (status == SPN_OK) {
        void *saved;
        size_t saved_size;
        spn_trace_rows again = spn_trace_rows_start(replicas, data[0] & 4 ? 1000 : 0, 1, 0);
        require(spn_trace_rows_save(&saved, &saved_size, &rows, &err) == SPN_OK);
        require(spn_trace_rows_load(&again, saved, saved_size, &err) == SPN_OK);
        require(again.count == rows.count && again.every == rows.every);
        free(saved);
        spn_trace_rows_clear(&again);
    }
    spn_trace_rows_clear(&rows);
    spn_source_unload(&kept);
}
