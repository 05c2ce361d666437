const apps =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|BytedanceWebview|musical_ly|TikTok|Snapchat|Pinterest|LinkedInApp|Twitter|Line\/|MicroMessenger|GSA\/)/;

/** The wallet that an in-app browser cannot offer, by user agent; null in a normal browser. */
export function isInAppBrowser(userAgent: string): 'apple' | 'google' | null {
  const webView = /Android.*; wv\)/.test(userAgent);
  if (!apps.test(userAgent) && !webView) return null;
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'apple';
  return /Android/.test(userAgent) ? 'google' : null;
}
