export type Platform = 'apple' | 'google' | 'desktop';

export function platformOf(userAgent: string, touchPoints: number): Platform {
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'apple';
  if (/android/i.test(userAgent)) return 'google';
  return /macintosh/i.test(userAgent) && touchPoints > 1 ? 'apple' : 'desktop';
}
