// Octiles with two to four players: as src/ludoteca/games/octiles/rules.py, without the option of repetition.
//
// A place is a port (space * 8 + edge) or FIRST_POST + post. `next` holds for every space one word of eight bytes, the
// place to which an entry at edge 0..7 leads. `outer` holds for the space that is looked at where paths lead that leave
// it at edge 0..7: a post, or the edge at which they come back to it. So one walk for each edge serves all rotations of a
// tile in the space, all runners that come there, and the moves after it is laid.
#include "common.h"
#include "octiles_tables.h"

enum { PLACE, MOVE };
enum { RUNNING, HOME, BLOCKED };

template <int N> struct Octiles {
    static constexpr int FIRST_MOVE = 8 * N_SPACES, PASS = FIRST_MOVE + N_POSTS * N_POSTS, MAX_LEGAL = 8 * N_SPACES;
    static constexpr int RUNNERS = N == 4 ? 4 : 5, NOWHERE = 63;
    static constexpr u64 STOPS = (1ull << N_STOPS) - 1;

    u64 next[N_SPACES + 5], outer[N_SPACES], occupied;
    Generator rng;
    int turn, reveals, ending, winner, to_move, phase, laid, covered, passes, head, size, known, shown;
    signed char tile[N_SPACES], rot[N_SPACES], stack[N_TILES], runner[N][RUNNERS];

    static int home(int seat) { return SIDE_OF_SEAT[N][seat]; }
    static int goal(int seat) { return SIDE_OF_SEAT[N][seat] ^ 2; }
    static u64 own_stop(int post) { return bit(post) & STOPS; }
    u64 free_ends() const { return ~occupied & (STOPS | CIRCLES[goal(to_move)]); }
    int step(int place) const { return next[place >> 3] >> ((place & 7) << 3) & 255; }

    // ---- setup

    void put(int space, int which, int rotation) {
        tile[space] = which, rot[space] = rotation;
        next[space] = CROSSED[which][rotation][space];
    }

    int take_top() {
        const int top = stack[head];
        stack[head] = -1;
        head = head + 1 == N_TILES ? 0 : head + 1;
        size--;
        return top;
    }

    void setup(u64 seed, u32 game) {
        memcpy(next, STUCK, sizeof next);
        memset(tile, -1, sizeof tile), memset(rot, 0, sizeof rot);
        occupied = 0, turn = reveals = ending = to_move = passes = head = known = shown = 0;
        phase = PLACE, laid = covered = winner = -1;
        rng.seed(seed, game);
        for (int seat = 0; seat < N; seat++)
            for (int i = 0, n = 0; i < 5; i++) {
                if (N == 4 && i == 2) continue;
                const int post = N_STOPS + 5 * home(seat) + i;
                runner[seat][n++] = post;
                occupied |= bit(post);
            }
        for (int i = 0; i < N_TILES; i++) stack[i] = i;
        for (int i = N_TILES - 1; i > 0; i--) std::swap(stack[i], stack[rng.below(i + 1)]);
        size = N_TILES;
        if (N == 3)
            for (int space : PRELAID) {
                const int top = take_top();
                put(space, top, rng.below(8) % ROTATIONS[top]);
            }
    }

    // ---- what is legal

    bool movable(int post, bool only_home) const {
        const int side = SIDE_OF[post];
        return side != goal(to_move) && (!only_home || side == home(to_move));
    }

    bool must_leave_home() const {
        const u64 circles = CIRCLES[home(to_move)];
        return (occupied & circles) == circles;
    }

    // Where paths end that leave a space at each of its edges, a byte each: 0..7 back at an edge of it, 64 + post, or
    // 64 + NOWHERE. Whatever lies in the space counts as gone.
    u64 ends_outside(int space) {
        const u64 lying = next[space];
        next[space] = STUCK[space];
        u64 ends = 0;
        for (int edge = 0; edge < 8; edge++) {
            int place = step(step(step(LINK[8 * space + edge])));
            for (int following; (following = step(place)) != place;) place = following;
            const int end = place >= FIRST_POST ? 64 + place - FIRST_POST : place >> 3 == space ? place & 7 : 64 + NOWHERE;
            ends |= static_cast<u64>(end) << 8 * edge;
        }
        next[space] = lying;
        return ends;
    }

    static int byte(u64 word, int k) { return word >> 8 * k & 255; }

    int list_placements(bool only_home, int *out) {
        const int top = stack[head], rotations = ROTATIONS[top];
        const u64 ends = free_ends();
        u64 walked = 0;
        u8 found[N_SPACES] = {};
        for (int i = 0; i < RUNNERS; i++) {
            const int post = runner[to_move][i];
            if (!movable(post, only_home)) continue;
            const u64 may_end = ends | own_stop(post);
            for (int k = 0; k < N_EXITS[post]; k++) {
                u64 seen = 0;
                for (int place = EXITS[post][k]; place < FIRST_POST;) {
                    const int space = place >> 3, following = step(place);
                    if (!(seen >> space & 1)) {
                        seen |= bit(space);
                        if (!(walked >> space & 1)) walked |= bit(space), outer[space] = ends_outside(space);
                        const u64 leads = outer[space];
                        int legal = 0;
                        for (int r = 0; r < rotations; r++) {
                            const u64 crossing = CROSSING[top][r];
                            int end = byte(leads, byte(crossing, place & 7));
                            end = end < 8 ? byte(leads, byte(crossing, end & 7)) : end;
                            while (__builtin_expect(end < 8, 0)) end = byte(leads, byte(crossing, end));
                            legal |= static_cast<int>(may_end >> (end & 63) & 1) << r;
                        }
                        found[space] |= legal;
                    }
                    if (following == place) break;
                    place = following;
                }
            }
        }
        int n = 0;
        for (int space = 0; space < N_SPACES; space++)
            for (u32 bits = found[space]; bits; bits &= bits - 1) out[n++] = 8 * space + __builtin_ctz(bits);
        return n;
    }

    int list_moves(bool only_home, int *out) const {
        const u64 ends = free_ends(), leads = outer[laid], crossing = CROSSING[tile[laid]][rot[laid]];
        u64 movers = 0;
        for (int i = 0; i < RUNNERS; i++)
            movers |= static_cast<u64>(movable(runner[to_move][i], only_home)) << runner[to_move][i];
        int whole[8], n = 0;
        for (int edge = 0; edge < 8; edge++) {
            int end = byte(leads, edge);
            for (int hops = 0; end < 8; hops++) end = hops < 4 ? byte(leads, byte(crossing, end)) : 64 + NOWHERE;
            whole[edge] = end & 63;
        }
        for (int edge = 0; edge < 8; edge++) {
            const int from = whole[edge], to = whole[byte(crossing, edge)];
            if (!(movers >> from & (ends | own_stop(from)) >> to & 1)) continue;
            const int action = FIRST_MOVE + from * N_POSTS + to;
            int k = n;
            while (k > 0 && out[k - 1] > action) k--;
            if (k > 0 && out[k - 1] == action) continue;
            for (int j = n++; j > k; j--) out[j] = out[j - 1];
            out[k] = action;
        }
        return n;
    }

    int legal(int *out) {
        int n = 0;
        if (phase == MOVE) {
            if (must_leave_home()) n = list_moves(true, out);
            return n ? n : list_moves(false, out);
        }
        if (must_leave_home()) n = list_placements(true, out);
        if (!n) n = list_placements(false, out);
        if (!n) out[n++] = PASS;
        return n;
    }

    // ---- what happens

    void apply(int action) {
        shown = 0;
        if (action == PASS) {
            if (++passes >= N) ending = BLOCKED;
            end_turn();
        } else if (action < FIRST_MOVE) {
            laid = action >> 3;
            covered = tile[laid];
            put(laid, stack[head], action & 7);
            phase = MOVE;
        } else {
            move((action - FIRST_MOVE) / N_POSTS, (action - FIRST_MOVE) % N_POSTS);
        }
    }

    void move(int from, int to) {
        int at_home = 0;
        occupied = (occupied & ~bit(from)) | bit(to);
        for (int i = 0; i < RUNNERS; i++) {
            if (runner[to_move][i] == from) runner[to_move][i] = to;
            at_home += SIDE_OF[runner[to_move][i]] == goal(to_move);
        }
        take_top();
        if (covered >= 0) {
            stack[(head + size) % N_TILES] = covered;
            size++, known++;
        }
        laid = covered = -1;
        phase = PLACE;
        passes = 0;
        if (at_home == RUNNERS) {
            winner = to_move;
            ending = HOME;
            if (known > size - 1) known = size - 1;
        } else {
            if (known == size) known--;
            else reveals++, shown = stack[head] + 1;
            if (size - 1 - known == 1) known++;
        }
        end_turn();
    }

    void end_turn() {
        turn++;
        to_move = to_move + 1 == N ? 0 : to_move + 1;
    }

    // ---- the end

    template <class Add> void report(Add add) const {
        for (int seat = 0; seat < N; seat++) {
            int at_home = 0;
            for (int post : runner[seat]) at_home += SIDE_OF[post] == goal(seat);
            add(at_home);
        }
    }
};

int main(int argc, char **argv) { return run_players<Octiles>(argc, argv); }
