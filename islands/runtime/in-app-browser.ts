/** Apps whose own browser calls itself one: https://developers.facebook.com, LINE, TikTok and others document no list. */
const apps =
  /\b(?:FB[AI][NV]|FB_IAB|FBIOS|Instagram|Barcelona|BytedanceWebview|musical_ly|trill|TikTok|Snapchat|Pinterest|LinkedInApp|Twitter|Line\/|MicroMessenger|QQ\/|Weibo|KAKAOTALK|NAVER\(|DaumApps|Telegram|WhatsApp|Viber|Reddit\/|Discord\/|Slack|VKClient|VKAndroidApp|OKApp|YJApp|GSA\/|AlipayClient|Teams\/)/i;

/**
 * The device of an in-app browser; null in a browser. A web view calls itself `wv` on Android, and lacks `Safari/` on
 * iPhones. https://developer.chrome.com/docs/webview/user-agent
 */
export function inAppPlatform(userAgent: string): 'apple' | 'google' | null {
  const onApple = /\((?:iPhone|iPad|iPod)/.test(userAgent);
  const onAndroid = /Android/.test(userAgent);
  const isWebView = onApple ? !/Safari\//.test(userAgent) : /; wv\)/.test(userAgent);
  if (!apps.test(userAgent) && !isWebView) return null;
  if (onApple) return 'apple';
  return onAndroid ? 'google' : null;
}
