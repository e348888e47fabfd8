/* Included before everything in a build with SPN_OLD_MATH. The C library got new versions of these functions in 2.29;
   they return the same values as the old ones but report errors differently, which nothing here reads. Asking for the old ones
   lets the libraries run on machines with an older C library. Other functions of that age have no such choice. */
#if defined(__x86_64__)
#define SPN_OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define SPN_OLDEST "GLIBC_2.17"
#else
#error "SPN_OLD_MATH: the oldest version of the C library's functions on this machine is not known"
#endif
__asm__(".symver exp,exp@" SPN_OLDEST);
__asm__(".symver log,log@" SPN_OLDEST);
__asm__(".symver log2,log2@" SPN_OLDEST);
__asm__(".symver pow,pow@" SPN_OLDEST);
