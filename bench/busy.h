/* A busy machine, made by threads of this program: twice as many as there are processors. */
#ifndef SPN_BENCH_BUSY_H
#define SPN_BENCH_BUSY_H

void busy_start(void);
void busy_end(void);

#endif
