// Myraclia with two to four players and its usual options: as src/ludoteca/games/myraclia/rules.py, with the
// recommended layout, two cubes each, and neither the Kickstarter tile nor Eternity tokens nor Darkness.
//
// A heap of cubes is one word with a byte for each colour. Sets of tiles and of colours are words of bits: which tiles lie
// beside a tile, which are terraformed by whom, which lie beside a terraformed one. So what a seat may terraform or reserve
// is a set, and whether it can pay is arithmetic on a few numbers of its pool.
#include "common.h"
#include "myraclia_tables.h"

using Heap = u64;
constexpr Heap EACH = 0x0001010101010101;  // a cube of every colour

inline int cubes(Heap heap, int colour) { return heap >> 8 * colour & 255; }
inline Heap cube(int colour) { return 1ull << 8 * colour; }
inline int total(Heap heap) { return heap * 0x0101010101010101 >> 56; }
// The colours of the bytes that are 1, the others being 0, as bits; and back.
inline int gathered(u64 ones) { return ones * 0x0102040810204080 >> 56; }
inline Heap spread(int colours) { return ((colours * 0x0002040810204081ull) & EACH); }
// The colours of which a heap holds a cube.
inline int colours_in(Heap heap) { return gathered((heap + 0x7f * EACH) >> 7 & EACH); }

enum { DRAFT_PHASE, TURN, PAY_PHASE, FIVES, PUT_PHASE, PLACE_PHASE };
enum { RUNNING, TERRAFORMED, ENDLESS };
enum { PRINTED, TOKENS, OWN, OTHERS, RESERVED, N_SOURCES };
enum {
    DRAFT = 0, PASS = DRAFT + N_COLOURS, TERRAFORM, RESERVE = TERRAFORM + N_TILES, CHANGE = RESERVE + N_TILES,
    ADD = CHANGE + N_TILES, END_TURN = ADD + N_COLOURS, PAY, TRIPLE = PAY + N_COLOURS,
    FIVE = TRIPLE + N_COLOURS * N_COLOURS, USE = FIVE + N_COLOURS, PUT = USE + N_COLOURS, DONE = PUT + N_COLOURS, PLACE
};

template <int N> struct Myraclia {
    static constexpr int MAX_LEGAL = N_DISPLAY * N_TILES * 3, NONE = -1, ASIDE = N_COLOURS;
    static constexpr u64 INSIDE = (1ull << (SPAN - 1)) - 2;

    Generator rng;
    u64 tile_bag, laid, taken, reserved_tiles, near;  // sets of tiles; near: beside a terraformed one
    u64 beside[N_BASE], owned[N], rows[SPAN];
    short where[N_BASE];
    signed char cell[N_CELLS];
    Heap bag, discard, zone, board, pool, lent, triples, used, own[N];
    int turn, reveals, news, ending, round, phase, at, to_move, n_ranks, first_row, last_row;
    int budget, n_actions, n_terraformed, to_add, target, changing, missing, plain, wild, fives;
    int order[N], disk[N], rank[N], passed[N], reserved[N], done[N], points[N], sources[N][N_SOURCES];
    int column[N_COLOURS], display[N_DISPLAY];
    u8 cubes_on[N_BASE];

    // ---- bags

    void renew_bag() {
        if (!bag) bag = discard, discard = 0;
    }

    int draw_cube() {
        renew_bag();
        if (!bag) return NONE;
        int left = rng.below(total(bag)), colour = 0;
        while (left >= cubes(bag, colour)) left -= cubes(bag, colour++);
        bag -= cube(colour);
        renew_bag();
        return colour;
    }

    bool fetch_cube(int colour) {
        if (cubes(discard, colour)) return discard -= cube(colour), true;
        if (!cubes(bag, colour)) return false;
        bag -= cube(colour);
        renew_bag();
        return true;
    }

    int draw_tile() {
        if (!tile_bag) return NONE;
        u64 bits = tile_bag;
        for (int n = rng.below(count(tile_bag)); n; n--) bits &= bits - 1;
        tile_bag &= ~(bits & -bits);
        return lowest(bits);
    }

    void refill_display() {
        const int before = reveals;
        for (int &tile : display)
            if (tile == NONE) tile = draw_tile(), reveals += tile != NONE;
        if (reveals > before) news = 1 + ((display[0] + 1) | (display[1] + 1) << 6 | (display[2] + 1) << 12);
    }

    // ---- setup

    void setup(u64 seed, u32 game) {
        memset(cell, NONE, sizeof cell), memset(where, NONE, sizeof where);
        memset(rows, 0, sizeof rows), memset(beside, 0, sizeof beside), memset(cubes_on, 0, sizeof cubes_on);
        memset(points, 0, sizeof points), memset(sources, 0, sizeof sources), memset(done, 0, sizeof done);
        rng.seed(seed, game);
        tile_bag = bit(N_BASE) - 1, laid = taken = reserved_tiles = near = 0;
        bag = discard = zone = board = 0;
        first_row = SPAN, last_row = 0;
        for (int colour = 0; colour < N_COLOURS; colour++) bag += CUBES[colour] * cube(colour);
        turn = reveals = news = round = 0, ending = RUNNING;
        for (int seat = 0; seat < N; seat++) owned[seat] = own[seat] = 0, reserved[seat] = NONE, order[seat] = seat;
        for (int &tile : display) tile = NONE;
        begin_turn();
        for (int k = 0; k < START_TILES[N]; k++) put_tile(draw_tile(), LAYOUT[N][k]);
        refill_display();
        for (int k = 0; k < 2; k++)
            for (Heap &heap : own) heap += cube(draw_cube());
        sort([&](int seat, int other) { return rarity(seat) < rarity(other); });
        begin_round();
        reveals = news = 0;
    }

    // Put the seats in order, those that stand equal as they were.
    template <class Before> void sort(Before before) {
        for (int k = 1; k < N; k++) {
            const int seat = order[k];
            int i = k;
            for (; i > 0 && before(seat, order[i - 1]); i--) order[i] = order[i - 1];
            order[i] = seat;
        }
    }

    int rarity(int seat) const {
        int found = 0;
        for (int colour = N_COLOURS - 1; colour >= 0; colour--)
            for (int n = cubes(own[seat], colour); n; n--) found = found * 8 + colour;
        return found;
    }

    // ---- draft

    void begin_draft() {
        for (int seat = 0; seat < N; seat++) disk[seat] = NONE, rank[seat] = passed[seat] = 0;
        n_ranks = at = 0, to_move = order[0], phase = DRAFT_PHASE;
    }

    void begin_round() {
        round++;
        for (int n = round == 1 ? DRAFT_FIRST[N] : DRAFT_LATER[N]; n; n--) {
            const int colour = draw_cube();
            if (colour != NONE) board += cube(colour);
        }
        for (int colour = 0; colour < N_COLOURS; colour++) {
            const int here = cubes(board, colour);
            column[colour] = here ? N_COLOURS - 1 : NONE;
            for (int other = 0; here && other < N_COLOURS; other++)
                column[colour] -= cubes(board, other) > here || (cubes(board, other) == here && other < colour);
        }
        begin_draft();
        reveals++, news = -1;
    }

    void lay_disk(int seat, int to) {
        if (disk[seat] == NONE) n_ranks++;
        else for (int other = 0; other < N; other++) rank[other] -= disk[other] != NONE && rank[other] > rank[seat];
        disk[seat] = to, rank[seat] = n_ranks - 1;
    }

    void next_drafter() {
        turn++;
        if (board)
            for (int k = 0; k < N; k++) {
                at = at + 1 == N ? 0 : at + 1, to_move = order[at];
                if (!passed[to_move]) return;
            }
        discard += board, board = 0;
        for (int &place : column) place = NONE;
        sort([&](int a, int b) { return disk[a] > disk[b] || (disk[a] == disk[b] && rank[a] > rank[b]); });
        begin_draft();
        begin_terraforming();
    }

    // ---- the surface

    void put_tile(int tile, int to) {
        cell[to] = tile, where[tile] = to;
        const int row = to / SPAN;
        rows[row] |= bit(to % SPAN), laid |= bit(tile);
        if (row < first_row) first_row = row;
        if (row > last_row) last_row = row;
        for (int step : STEP) {
            const int other = cell[to + step];
            if (other != NONE) beside[tile] |= bit(other), beside[other] |= bit(tile);
        }
        if (beside[tile] & taken) near |= bit(tile);
    }

    // The cells of a row with at least one, two and three neighbours.
    void neighbours(int row, u64 &one, u64 &two, u64 &three) const {
        const u64 above = rows[row - 1], here = rows[row], below = rows[row + 1];
        one = two = three = 0;
        for (u64 way : {here << 1, here >> 1, below, below << 1, above, above >> 1})
            three |= two & way, two |= one & way, one |= way;
    }

    u64 loose(int row) const {
        if (!rows[row]) return 0;
        u64 one, two, three;
        neighbours(row, one, two, three);
        return rows[row] & ~three;
    }

    int list_cells(int first, int *out) const {
        for (int strictness = 2; strictness >= 0; strictness--) {
            int n = 0;
            u64 above = 0, here = 0, below = loose(first_row);  // tiles with fewer than three neighbours
            for (int row = first_row - 1; row <= last_row + 1; row++) {
                u64 one, two, three, found;
                neighbours(row, one, two, three);
                if (row > first_row - 1) above = here, here = below, below = loose(row + 1);
                if (strictness == 2)
                    found = three | (two & ~(here << 1 | here >> 1 | below | below << 1 | above | above >> 1));
                else found = strictness ? two : one;
                for (found &= ~rows[row] & INSIDE; found; found &= found - 1)
                    out[n++] = first + row * SPAN + lowest(found);
            }
            if (n) return n;
        }
        return 0;
    }

    int list_places(int *out) const {
        int slot = 0;
        while (display[slot] == NONE) slot++;
        const int cells = list_cells(PLACE + slot * N_CELLS, out);
        int n = cells;
        for (int k = slot + 1; k < N_DISPLAY; k++)
            if (display[k] != NONE)
                for (int i = 0; i < cells; i++) out[n++] = out[i] + (k - slot) * N_CELLS;
        return n;
    }

    // ---- what is legal

    int lacks(int tile) const { return REQUIRED[tile] & ~cubes_on[tile]; }
    int disks(int seat) const { return done[seat] + (reserved[seat] != NONE); }

    int most_put(int lacking, int has) const {
        int n = count(lacking & has);
        if (n > count(lacking) - 1) n = count(lacking) - 1;
        return n < budget ? n : budget;
    }

    int list_turn(int *out) const {
        const int seat = to_move, has = colours_in(pool), own_tile = reserved[seat];
        int n = 0;
        if (n_actions < 3) {
            const u64 free = laid & ~taken & ~reserved_tiles;
            const bool may_lay = disks(seat) < DISKS[N];
            u64 tiles = 0;
            if (may_lay) tiles = !taken || (round == 1 && !done[seat]) ? free : free & near;
            if (own_tile != NONE) tiles |= bit(own_tile);
            int all_threes = 0, by_three = 0;  // colours whose number of cubes is a multiple of three
            for (int colour = 0; colour < N_COLOURS; colour++) {
                const int here = cubes(pool, colour);
                all_threes += here / 3, by_three |= (here % 3 == 0) << colour;
            }
            by_three &= has;
            const int all = total(pool);
            for (; tiles; tiles &= tiles - 1) {
                const int tile = lowest(tiles), lacking = lacks(tile), paid = lacking & has;
                const int size = count(paid), unpaid = count(lacking) - size, left = all - size;
                int threes = all_threes - count(paid & by_three);
                if (threes > unpaid) threes = unpaid;
                const int by_fives = 5 * (unpaid - threes);
                out[n] = TERRAFORM + tile;
                n += (left - 3 * threes >= by_fives) & (size + 3 * threes + by_fives <= budget);
            }
            const int first = own_tile != NONE ? CHANGE : RESERVE;
            if (own_tile != NONE || may_lay)
                for (tiles = free & near; tiles; tiles &= tiles - 1) {
                    const int tile = lowest(tiles), lacking = lacks(tile), put = most_put(lacking, has);
                    out[n] = first + tile;
                    n += (put > 0) & (points[seat] >= count(lacking) - put);
                }
        }
        if (own_tile != NONE && budget > 0) {
            const int lacking = lacks(own_tile);
            if (count(lacking) > 1)
                for (int bits = lacking & has; bits; bits &= bits - 1) out[n++] = ADD + lowest(bits);
        }
        out[n] = END_TURN;
        return n + 1;
    }

    int list_puts(int *out) const {
        const int lacking = lacks(target), has = colours_in(pool), put = count(plain);
        int n = 0;
        if (put < most_put(lacking, has))
            for (int bits = lacking & ~plain & has; bits; bits &= bits - 1) out[n++] = PUT + lowest(bits);
        if (put && points[to_move] >= count(lacking) - put) out[n++] = DONE;
        return n;
    }

    // Can `more` wild cards be found, as triples from the colour `first` on or as fives, for a legal payment?
    bool rest_fits(Heap by_triples, int plainly, int by_wild, int all_fives, int first, int more) const {
        int size = count(plainly), room = 0, threes = 0, ones = 0, twos = 0;
        for (int colour = 0; colour < N_COLOURS; colour++) {
            const int chosen = cubes(by_triples, colour), n = cubes(pool, colour) - (plainly >> colour & 1) - 3 * chosen;
            if (n < 0 || ((by_wild >> colour & 1) && chosen)) return false;
            size += 3 * chosen;
            if (by_wild >> colour & 1) continue;
            room += n < 2 ? n : 2;
            if (colour >= first && !all_fives && n >= 3) threes += n / 3, ones += n % 3 == 1, twos += n % 3 == 0;
        }
        const int unharmed = threes - ones - twos;
        for (int k = more < threes ? more : threes; k >= 0; k--) {
            const int five = 5 * (all_fives + more - k);
            int lost = k - unharmed;  // the last triple of a colour may leave fewer cubes for fives
            lost = lost <= 0 ? 0 : lost <= ones ? lost : ones + 2 * (lost - ones);
            if (size + 3 * k + five <= budget && (!five || five <= room - lost)) return true;
        }
        return false;
    }

    bool can_go_on(Heap by_triples, int later, int plainly, int by_wild, int all_fives, int first) const {
        for (int plain_ones = later;; plain_ones = (plain_ones - 1) & later) {
            const int wild_ones = later & ~plain_ones;
            if (rest_fits(by_triples, plainly | plain_ones, by_wild | wild_ones, all_fives, first, count(wild_ones)))
                return true;
            if (!plain_ones) return false;
        }
    }

    int list_payments(int *out) const {
        const int colour = lowest(missing), later = missing & (missing - 1);
        const int first = triples ? (63 - __builtin_clzll(triples)) / 8 : 0;
        int n = 0;
        if (cubes(pool, colour) && can_go_on(triples, later, plain | 1 << colour, wild, fives, first))
            out[n++] = PAY + colour;
        const int all_wild = wild | 1 << colour;
        if (!fives)
            for (int of = first; of < N_COLOURS; of++)
                if (of != colour && cubes(pool, of) >= 3 && can_go_on(triples + cube(of), later, plain, all_wild, 0, of))
                    out[n++] = TRIPLE + N_COLOURS * colour + of;
        if (can_go_on(triples, later, plain, all_wild, fives + 1, first)) out[n++] = FIVE + colour;
        return n;
    }

    int usable(int colour) const {
        if (wild >> colour & 1) return 0;
        const int left = cubes(pool, colour) - (plain >> colour & 1) - 3 * cubes(triples, colour);
        return (left < 2 ? left : 2) - cubes(used, colour);
    }

    int list_uses(int *out) const {
        const int first = used ? (63 - __builtin_clzll(used)) / 8 : 0, needed = 5 * fives - total(used);
        int n = 0, later = 0;
        for (int colour = first; colour < N_COLOURS; colour++) later += usable(colour);
        for (int colour = first; colour < N_COLOURS; colour++) {
            const int here = usable(colour);
            if (here > 0 && later >= needed) out[n++] = USE + colour;
            later -= here;
        }
        return n;
    }

    int legal(int *out) const {
        switch (phase) {
            case DRAFT_PHASE: {
                int n = 0;
                for (int bits = colours_in(board); bits; bits &= bits - 1) out[n++] = DRAFT + lowest(bits);
                out[n] = PASS;
                return n + 1;
            }
            case TURN: return list_turn(out);
            case PAY_PHASE: return list_payments(out);
            case FIVES: return list_uses(out);
            case PUT_PHASE: return list_puts(out);
            default: return list_places(out);
        }
    }

    // ---- terraforming

    void begin_turn() {
        n_actions = n_terraformed = to_add = budget = 0, pool = lent = 0;
        forget_target();
    }

    void forget_target() {
        target = NONE, changing = missing = plain = wild = fives = 0;
        triples = used = 0;
    }

    void begin_terraforming() {
        begin_turn();
        to_move = order[at], phase = TURN;
        budget = total(own[to_move]), pool = own[to_move] + zone, lent = zone;
        own[to_move] = zone = 0;
    }

    // Take cubes from the pool, the seat's own ones first.
    void use(Heap heap) {
        pool -= heap, budget -= total(heap);
        const Heap lacking = (0x80 * EACH | pool) - lent;  // its high bits: colours of which enough is left
        const Heap mask = (~lacking >> 7 & EACH) * 255;
        lent = (pool & mask) | (lent & ~mask);
    }

    void settle() {
        if (missing) phase = PAY_PHASE;
        else if (total(used) < 5 * fives) phase = FIVES;
        else {
            const Heap paid = spread(plain) + 3 * triples + used;
            use(paid), discard += paid;
            terraform(target);
            forget_target();
            phase = TURN;
        }
    }

    void gain(int seat, int source, int n) { points[seat] += n, sources[seat][source] += n; }

    void terraform(int tile) {
        const int seat = to_move;
        discard += spread(cubes_on[tile]), cubes_on[tile] = 0;
        if (reserved[seat] == tile) reserved[seat] = NONE, reserved_tiles &= ~bit(tile);
        else to_add++;
        gain(seat, PRINTED, POINTS[tile]);
        for (int other = 0; other < N; other++) {
            const int n = count(beside[tile] & owned[other]);
            if (other == seat) gain(seat, OWN, n_terraformed ? 2 * n : n);
            else gain(other, OTHERS, n);
        }
        owned[seat] |= bit(tile), taken |= bit(tile), near |= beside[tile];
        done[seat]++, n_actions++, n_terraformed++;
        if (RELEASED[tile] != NONE && fetch_cube(RELEASED[tile])) pool += cube(RELEASED[tile]), budget++;
    }

    void reserve() {
        const int seat = to_move;
        use(spread(plain));
        cubes_on[target] |= plain;
        gain(seat, RESERVED, -count(lacks(target)));
        if (reserved[seat] != NONE) reserved_tiles &= ~bit(reserved[seat]);
        reserved[seat] = target, reserved_tiles |= bit(target);
        to_add += !changing, n_actions++;
        forget_target();
        phase = TURN;
    }

    void pay(int action) {
        const int colour = lowest(missing);
        missing &= missing - 1;
        if (action < TRIPLE) plain |= 1 << colour;
        else if (wild |= 1 << colour; action < FIVE) triples += cube((action - TRIPLE) % N_COLOURS);
        else fives++;
        settle();
    }

    // ---- the end of a turn and of a round

    bool has_display() const { return (display[0] & display[1] & display[2]) != NONE; }

    void next_turn() {
        turn++;
        refill_display();
        if (++at < N) begin_terraforming();
        else end_round();
    }

    void end_round() {
        begin_turn();
        int most = 0;
        for (int n : done) most = n > most ? n : most;
        if (most >= END_TILES[N] || round == LAST_ROUND) {
            ending = most >= END_TILES[N] ? TERRAFORMED : ENDLESS;
            for (int seat = 0; seat < N; seat++)
                points[seat] += area_points(seat) + surface_points(seat) + ALL_TYPES * all_types(seat);
            at = 0, to_move = order[0];
            return;
        }
        discard += zone, zone = 0;
        for (int k = 0; k < N / 2; k++) std::swap(order[k], order[N - 1 - k]);
        for (int seat : order)
            for (u64 tiles = owned[seat]; tiles; tiles &= tiles - 1) {
                const int colour = RELEASED[lowest(tiles)];
                if (colour != NONE && fetch_cube(colour)) own[seat] += cube(colour);
            }
        begin_round();
    }

    // ---- scoring

    u32 symbols(int seat) const {  // a byte for each surface
        u32 found = 0;
        for (u64 tiles = owned[seat]; tiles; tiles &= tiles - 1) found += SHOWS[lowest(tiles)];
        return found;
    }

    bool all_types(int seat) const { return ((symbols(seat) + 0x7f7f7f7f) & 0x80808080) == 0x80808080; }

    int surface_points(int seat) const {
        constexpr int MOST = sizeof SURFACE_POINTS / sizeof *SURFACE_POINTS - 1;
        const u32 found = symbols(seat);
        int sum = 0;
        for (int surface = 0; surface < N_SURFACES; surface++) {
            const int n = found >> 8 * surface & 255;
            sum += SURFACE_POINTS[n < MOST ? n : MOST];
        }
        return sum;
    }

    int largest_area(int seat) const {
        int most = 0;
        for (u64 rest = owned[seat]; rest;) {
            u64 area = 0, edge = rest & -rest;
            while (edge) {
                const int tile = lowest(edge);
                area |= bit(tile);
                edge = (edge | (beside[tile] & owned[seat])) & ~area;
            }
            rest &= ~area;
            if (count(area) > most) most = count(area);
        }
        return most;
    }

    int area_points(int seat) const {
        const int mine = largest_area(seat);
        int sum = 0;
        for (int other = 0; other < N; other++) sum += OVERTAKEN * (largest_area(other) < mine);
        return sum;
    }

    template <class Add> void report(Add add) const {
        for (int seat = 0; seat < N; seat++) {
            add(points[seat]), add(round), add(done[seat]);
            for (int n : sources[seat]) add(n);
            add(area_points(seat)), add(surface_points(seat)), add(ALL_TYPES * all_types(seat));
        }
    }

    // ---- an action

    void apply(int action) {
        news = 0;
        if (action < PASS) {
            const int colour = action - DRAFT, seat = to_move;
            board -= cube(colour), own[seat] += cube(colour);
            if (disk[seat] == NONE || column[colour] < disk[seat]) lay_disk(seat, column[colour]);
            next_drafter();
        } else if (action == PASS) {
            passed[to_move] = 1;
            if (disk[to_move] == NONE) lay_disk(to_move, ASIDE);
            next_drafter();
        } else if (action < RESERVE) {
            target = action - TERRAFORM, missing = lacks(target);
            settle();
        } else if (action < ADD) {
            changing = action >= CHANGE, target = action - (changing ? CHANGE : RESERVE), phase = PUT_PHASE;
        } else if (action < END_TURN) {
            use(cube(action - ADD));
            cubes_on[reserved[to_move]] |= 1 << (action - ADD);
        } else if (action == END_TURN) {
            zone = pool, pool = lent = 0, budget = 0, phase = PLACE_PHASE;
            if (!to_add || !has_display()) next_turn();
        } else if (action < USE) {
            pay(action);
        } else if (action < PUT) {
            used += cube(action - USE);
            settle();
        } else if (action < DONE) {
            plain |= 1 << (action - PUT);
        } else if (action == DONE) {
            reserve();
        } else {
            const int slot = (action - PLACE) / N_CELLS;
            put_tile(display[slot], (action - PLACE) % N_CELLS);
            display[slot] = NONE;
            if (--to_add == 0 || !has_display()) next_turn();
        }
    }
};

int main(int argc, char **argv) { return run_players<Myraclia>(argc, argv); }
