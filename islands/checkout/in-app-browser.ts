const apps =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|BytedanceWebview|musical_ly|TikTok|Snapchat|Pinterest|LinkedInApp|Twitter|Line\/|MicroMessenger|GSA\/)/;

/**
 * The wallet that a browser inside another app withholds, by its user agent; null in a browser of
 * the visitor's own.
 */
export function isInAppBrowser(userAgent: string): 'apple' | 'google' | null {
  const webView = /Android.*; wv\)/.test(userAgent);
  if (!apps.test(userAgent) && !webView) return null;
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'apple';
  return /Android/.test(userAgent) ? 'google' : null;
}
