/** Names in the agents of apps' own browsers. No vendor publishes such a list. */
const apps =
  /\b(?:FB[AI][NV]|FB_IAB|FBIOS|Instagram|Barcelona|BytedanceWebview|musical_?ly|trill|aweme|TikTok|Snapchat|Pinterest|LinkedInApp|Twitter|Line\/|MicroMessenger|WindowsWechat|MacWechat|wxwork|QQ\/|Weibo|KAKAO|NAVER\(|DaumApps|Telegram|WhatsApp|Viber|Zalo|imo(?:Android|iPhone|iPad)?\/|Reddit\/|Discord\b|Slack|VKClient|VKAndroidApp|OKApp|YJApp|GSA\/|AliApp|AlipayClient|DingTalk|Lark\/|Teams\/|Electron\/)/i;

/** Browsers that are built on a web view, or leave out `Safari/`. */
const browsers = /Browser\/|\b(?:OPR|OPT|OPX|DuckDuckGo|Ddg|Focus|Klar|Quark|Puffin|PHX)\//;

/** Web views of apps that do not give their name: https://developer.chrome.com/docs/webview/user-agent */
const webViews = {
  android: /; wv\)|Version\/4\.0 .*Chrome\//,
  webKit: /AppleWebKit\/(?!.*(?:Safari|Chrome)\/)/,
};

function deviceOf(userAgent: string, touchPoints: number): 'apple' | 'google' | 'desktop' {
  if (/\((?:iPhone|iPad|iPod)/.test(userAgent)) return 'apple';
  if (/Android/.test(userAgent)) return 'google';
  // An iPad calls itself a Macintosh.
  const isPad = touchPoints > 1 || /iPad|FBIOS| Mobile\//.test(userAgent);
  return /Macintosh/.test(userAgent) && isPad ? 'apple' : 'desktop';
}

/**
 * The device of an in-app browser; null in a browser.
 *
 * @param isHomeScreenApp whether the page was opened from the home screen, where an iPhone's agent is that of a web view
 */
export function inAppPlatform(
  userAgent: string,
  touchPoints: number,
  isHomeScreenApp: boolean,
): 'apple' | 'google' | 'desktop' | null {
  const device = deviceOf(userAgent, touchPoints);
  if (apps.test(userAgent)) return device;
  if (isHomeScreenApp || browsers.test(userAgent)) return null;
  return webViews[device === 'google' ? 'android' : 'webKit'].test(userAgent) ? device : null;
}

/** Reads this browser. */
export function ownInAppPlatform(): ReturnType<typeof inAppPlatform> {
  const own: Navigator & {
    /** Only on Apple's devices. */
    standalone?: boolean;
  } = navigator;
  const { userAgent, maxTouchPoints, standalone } = own;
  const isHomeScreenApp =
    standalone || globalThis.matchMedia?.('(display-mode: standalone)').matches;
  return inAppPlatform(userAgent, maxTouchPoints, isHomeScreenApp);
}
