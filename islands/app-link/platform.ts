/** The store that a device has: Apple's, Google's, or none of its own. */
export type Platform = 'apple' | 'google' | 'desktop';

/**
 * Tells a device by what its browser says. An iPad calls itself a Mac, but has a touch screen.
 *
 * @param touchPoints how many fingers the screen feels
 */
export function platformOf(userAgent: string, touchPoints: number): Platform {
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'apple';
  if (/android/i.test(userAgent)) return 'google';
  return /macintosh/i.test(userAgent) && touchPoints > 1 ? 'apple' : 'desktop';
}
