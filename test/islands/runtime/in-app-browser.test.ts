import { expect, it, vi } from 'vitest';
import { inAppPlatform, ownInAppPlatform } from '../../../islands/runtime/in-app-browser.ts';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15';
const webKit = `${iphone} (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1`;
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8';
const chrome = `${android}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36`;

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const oldAndroid = (more: string) =>
  `Mozilla/5.0 (Linux; U; Android 13; en-us; 2201117TG Build/TKQ1) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 ${more}`;

it.each([
  [`${iphone} (KHTML, like Gecko) Mobile/15E148 Instagram 300.0.0.0.0`, 'apple'],
  [`${iphone} (KHTML, like Gecko) Mobile/15E148 Barcelona 300.0.0.29.111`, 'apple'],
  [`${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/440.0]`, 'apple'],
  [`${webKit} [FBAN/MessengerForiOS;FBAV/440.0]`, 'apple'],
  [`${mac} Mobile/15E148 [FBAN/FBIOS;FBAV/440.0;FBDV/iPad13,1;FBSN/iPadOS]`, 'apple'],
  [`${mac} [FBAN/FBIOS;FBAV/440.0;FBDV/iPad13,1;FBMD/iPad]`, 'apple'],
  [`${mac} Mobile/15E148 Instagram 300.0.0.0.0 (iPad13,1; iPadOS 17_0)`, 'apple'],
  [`${mac} Mobile/15E148`, 'apple'],
  [`${iphone} Mobile musical_ly_30.0 BytedanceWebview/d8a21c6`, 'apple'],
  [`${iphone} (KHTML, like Gecko) Mobile/15E148 BytedanceWebview/d8a21c6`, 'apple'],
  [`${webKit} BytedanceWebview/d8a21c6`, 'apple'],
  [`${iphone} (KHTML, like Gecko) Mobile/15E148`, 'apple'],
  [`${webKit} Line/13.20.0`, 'apple'],
  [`${webKit} GSA/300.0`, 'apple'],
  [
    `${iphone} (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.44(0x18002c2d) NetType/WIFI`,
    'apple',
  ],
  [`${iphone} (KHTML, like Gecko) Mobile/15E148 KAKAOTALK 10.4.3`, 'apple'],
  [`${webKit} NAVER(inapp; search; 1000; 12.3.2; 14PRO)`, 'apple'],
  [`${webKit} Snapchat/12.60.0.42`, 'apple'],
  [`${webKit} [Pinterest/iOS]`, 'apple'],
  [`${webKit} [LinkedInApp]/9.29.4963`, 'apple'],
  [`${webKit} Twitter for iPhone/10.21`, 'apple'],
  [`${webKit} Zalo iOS/482 ZaloTheme/light ZaloLanguage/vn`, 'apple'],
  [`${webKit} imoiPhone/2023.05.1041`, 'apple'],
  [`${webKit} AliApp(DingTalk/7.0.40) com.laiwang.DingTalk/29585391`, 'apple'],
  [`${android}) Chrome/120 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/440.0]`, 'google'],
  [`${android}; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile Safari/537.36`, 'google'],
  [
    `${android} Build/UD1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile trill_320`,
    'google',
  ],
  [
    'Mozilla/5.0 (Linux; Android 4.4; Nexus 5 Build/KRT16M) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/30.0.0.0 Mobile Safari/537.36',
    'google',
  ],
  [`${chrome} Telegram-Android/11.5.3 (Google Pixel 8; Android 14; SDK 34; AVERAGE)`, 'google'],
  [`${chrome} Viber/21.9`, 'google'],
  [`${chrome} Reddit/Version 2024.10`, 'google'],
  [`${chrome} Discord-Android/126021`, 'google'],
  [`${chrome} com.zhiliaoapp.musically/2023001040 (Linux; U; Android 14; en)`, 'google'],
  [`${chrome} musical_ly_2022803040 JsSdk/1.0`, 'google'],
  [`${chrome} Zalo android/12100660 ZaloTheme/light`, 'google'],
  [`${chrome} imoAndroid/2024.03.1041`, 'google'],
  [`${chrome} AliApp(DingTalk/6.5.45)`, 'google'],
  [`${chrome} KAKAOTALK/24.2.3`, 'google'],
  [`${chrome} Line/14.1.0/IAB`, 'google'],
  [`${chrome} NAVER(inapp; search; 1010; 12.4.1)`, 'google'],
  [
    `${windows} MicroMessenger/7.0.20.1781(0x6700143B) NetType/WIFI MiniProgramEnv/Windows WindowsWechat/WMPF XWEB/6945`,
    'desktop',
  ],
  [`${windows} WindowsWechat(0x63090551)`, 'desktop'],
  [`${mac} Chrome/98.0.4758.102 Safari/537.36 MicroMessenger/6.8.0 MacWechat/3.8`, 'desktop'],
  [`${windows} DingTalk(6.0.3-Release.1140) dingtalk-win/1.0.0`, 'desktop'],
  [`${windows} discord/1.0.9013 Electron/22.3.2`, 'desktop'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120 Instagram', 'desktop'],
  [mac, 'desktop'],
])('in-app browser: %s is an app’s on %s', (userAgent, platform) => {
  expect(inAppPlatform(userAgent, 0, false)).toBe(platform);
});

it.each([
  webKit,
  `${iphone} (KHTML, like Gecko) CriOS/120.0 Mobile/15E148 Safari/604.1`,
  `${iphone} (KHTML, like Gecko) FxiOS/120.0 Mobile/15E148 Safari/605.1.15`,
  `${iphone} (KHTML, like Gecko) EdgiOS/120.0 Version/17.0 Mobile/15E148 Safari/604.1`,
  `${iphone} (KHTML, like Gecko) OPiOS/16.0.15.124050 Mobile/15E148 Safari/9537.53`,
  `${webKit} OPT/4.3.2`,
  `${webKit} Ddg/17.0`,
  `${iphone} (KHTML, like Gecko) Version/16.6 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
  `${iphone} (KHTML, like Gecko) Version/17.0 YaBrowser/23.11.1 Mobile/15E148 Safari/604.1`,
  // Without `Safari/`.
  'Mozilla/5.0 (iPhone; CPU iPhone OS 13_3 like Mac OS X; en-US) AppleWebKit/537.51.1 (KHTML, like Gecko) Mobile/17C54 UCBrowser/11.3.5.1203 Mobile',
  chrome,
  `${android}) AppleWebKit/537.36 SamsungBrowser/23.0 Chrome/115.0 Mobile Safari/537.36`,
  'Mozilla/5.0 (Android 14; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0',
  `${chrome} EdgA/120.0.2210.84`,
  `${chrome} OPR/79.4.4195`,
  // A web view.
  `${android} Build/UD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0 Mobile Safari/537.36 OPR/76.0.2254`,
  'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615 Mobile DuckDuckGo/5 Safari/537.36',
  'Mozilla/5.0 (Linux; U; Android 10; en-US; RMX1911) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.4.0.1306 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 9; Pixel 3) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Focus/8.0 Chrome/89.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; HarmonyOS; NOH-NX9; HMSCore 6.11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/13.0.5 Mobile Safari/537.36',
  oldAndroid('Mobile Safari/537.36 XiaoMi/MiuiBrowser/13.28.0-gn'),
  oldAndroid('Mobile Safari/537.36 HeyTapBrowser/45.9.5'),
  oldAndroid('Mobile Safari/537.36 VivoBrowser/12.5'),
  oldAndroid('MQQBrowser/12.8 Mobile Safari/537.36'),
  'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108.4 like Chrome/108.0 Safari/537.36',
  windows,
  `${windows} Edg/120.0.2210.91`,
  `${windows} OPR/106.0.0.0`,
  `${windows} Vivaldi/6.5.3206.48`,
  `${mac} Version/17.2 Safari/605.1.15`,
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:120.0) Gecko/20100101 Firefox/120.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Brave/1.61',
  '',
])('in-app browser: %s is a browser', (userAgent) => {
  expect(inAppPlatform(userAgent, 0, false)).toBeNull();
  expect(inAppPlatform(userAgent, 5, false)).toBeNull();
});

it('in-app browser: an iPad that names no app is told from a Macintosh by its touch screen', () => {
  expect(inAppPlatform(mac, 5, false)).toBe('apple');
});

it.each<[what: string, browser: object, isStandalone: boolean, platform: string | null]>([
  ['an iPhone’s app', {}, false, 'apple'],
  ['a page on an iPhone’s home screen', { standalone: true }, false, null],
  ['the same without its property', {}, true, null],
  ['a web view on an iPhone', { standalone: false }, false, 'apple'],
])('in-app browser: %s', (_, browser, isStandalone, platform) => {
  const userAgent = `${iphone} (KHTML, like Gecko) Mobile/15E148`;
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints: 5, ...browser });
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(display-mode: standalone)' && isStandalone,
  }));
  expect(ownInAppPlatform()).toBe(platform);
});
