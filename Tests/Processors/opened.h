struct large {
    long numbers[4];
    double fractions[4];
};

double total(int count, ...);
long weighted(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j);
struct large large(long first, double second);
