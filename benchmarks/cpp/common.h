// What the programs of this folder share: the random generator of src/ludoteca/kernel/random.py, so that the
// games are the same ones, and the loop that plays, counts and measures.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

using u8 = uint8_t;
using u32 = uint32_t;
using u64 = uint64_t;

inline int lowest(u64 bits) { return __builtin_ctzll(bits); }
inline int count(u64 bits) { return __builtin_popcountll(bits); }
inline u64 bit(int k) { return 1ull << k; }

// A number that looks independent for every pair of a seed and a counter: PCG's RXS-M-XS.
inline u32 mix(u64 seed, u32 k) {
    auto permuted = [](u32 x) {
        x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
        return x >> 22 ^ x;
    };
    u32 x = permuted(static_cast<u32>(seed) + k * 2654435769u);
    return permuted((x ^ static_cast<u32>(seed >> 32)) * 747796405u + 2891336453u);
}

// xoshiro128**
struct Generator {
    u32 a, b, c, d;

    void seed(u64 seed, u32 game) {
        a = mix(seed, 4 * game), b = mix(seed, 4 * game + 1), c = mix(seed, 4 * game + 2), d = mix(seed, 4 * game + 3);
        if (!(a | b | c | d)) a = 1;
    }

    u32 next() {
        u32 x = b * 5, t = b << 9;
        x = (x << 7 | x >> 25) * 9;
        c ^= a, d ^= b, b ^= c, a ^= d, c ^= t;
        d = d << 11 | d >> 21;
        return x;
    }

    // Uniform in 0 .. n - 1.
    int below(u32 n) {
        u64 product = static_cast<u64>(next()) * n;
        if (__builtin_expect(static_cast<u32>(product) < n, 0)) {
            const u32 least = -n % n;
            while (static_cast<u32>(product) < least) product = static_cast<u64>(next()) * n;
        }
        return static_cast<int>(product >> 32);
    }
};

// All that is said about games, folded into one number.
struct Checksum {
    u64 value = 0;

    void add(long long number) {
        value = (value ^ static_cast<u64>(number)) * 0x9E3779B97F4A7C15ull;
        value ^= value >> 32;
    }
};

inline double processor_time() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Play the games 0, 1, 2 ... of a simulation: at least `games`, and go on until `seconds` have passed. Prints how many
// games, actions and turns they were, the seconds, and the checksum of the first `games`.
//
// A Game has setup(seed, game), legal(out) -> how many, apply(action), ending, turn, rng, and report(add), which says
// what a simulation writes down of a finished game but for turns, actions and ending.
template <class Game> int run(u64 seed, u32 games, double seconds) {
    static Game g;
    static int out[Game::MAX_LEGAL];
    Checksum checksum, rest;
    u64 actions = 0, turns = 0;
    u32 played = 0;
    const double began = processor_time();
    double took = 0;
    while (played < games || took < seconds) {
        for (int k = 0; k < 64; k++, played++) {
            int steps = 0;
            for (g.setup(seed, played); !g.ending; steps++) g.apply(out[g.rng.below(g.legal(out))]);
            Checksum &sum = played < games ? checksum : rest;
            sum.add(g.turn), sum.add(steps), sum.add(g.ending);
            g.report([&](long long number) { sum.add(number); });
            actions += steps, turns += g.turn;
        }
        took = processor_time() - began;
    }
    printf("%u %llu %llu %.9f %llu\n", played, static_cast<unsigned long long>(actions),
           static_cast<unsigned long long>(turns), took, static_cast<unsigned long long>(checksum.value));
    return rest.value == 1;  // so that nobody leaves it out
}

// PROGRAM players seed games seconds
template <template <int> class Game> int run_players(int argc, char **argv) {
    if (argc != 5) return fprintf(stderr, "usage: %s players seed games seconds\n", argv[0]), 2;
    const u64 seed = strtoull(argv[2], nullptr, 10);
    const u32 games = static_cast<u32>(atoi(argv[3]));
    const double seconds = atof(argv[4]);
    switch (atoi(argv[1])) {
        case 2: return run<Game<2>>(seed, games, seconds);
        case 3: return run<Game<3>>(seed, games, seconds);
        case 4: return run<Game<4>>(seed, games, seconds);
    }
    return fprintf(stderr, "players: 2, 3 or 4\n"), 2;
}
