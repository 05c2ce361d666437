import { expect, it } from 'vitest';
import { inAppPlatform } from '../../../islands/runtime/in-app-browser.ts';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15';
const webKit = `${iphone} (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1`;
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8';
const chrome = `${android}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36`;

it.each([
  [`${iphone} (KHTML, like Gecko) Mobile/15E148 Instagram 300.0.0.0.0`, 'apple'],
  [`${iphone} (KHTML, like Gecko) Mobile/15E148 Barcelona 300.0.0.29.111`, 'apple'],
  [`${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/440.0]`, 'apple'],
  [`${webKit} [FBAN/MessengerForiOS;FBAV/440.0]`, 'apple'],
  [`${iphone} Mobile musical_ly_30.0 BytedanceWebview/d8a21c6`, 'apple'],
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
  [`${android}) Chrome/120 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/440.0]`, 'google'],
  [`${android}; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile Safari/537.36`, 'google'],
  [
    `${android} Build/UD1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile trill_320`,
    'google',
  ],
  [`${chrome} Telegram-Android/11.5.3 (Google Pixel 8; Android 14; SDK 34; AVERAGE)`, 'google'],
  [`${chrome} Viber/21.9`, 'google'],
  [`${chrome} Reddit/Version 2024.10`, 'google'],
  [webKit, null],
  [`${iphone} (KHTML, like Gecko) CriOS/120.0 Mobile/15E148 Safari/604.1`, null],
  [`${iphone} (KHTML, like Gecko) FxiOS/120.0 Mobile/15E148 Safari/605.1.15`, null],
  [`${iphone} (KHTML, like Gecko) EdgiOS/120.0 Version/17.0 Mobile/15E148 Safari/604.1`, null],
  [`${webKit} Ddg/17.0`, null],
  [chrome, null],
  [`${android}) AppleWebKit/537.36 SamsungBrowser/23.0 Chrome/115.0 Mobile Safari/537.36`, null],
  ['Mozilla/5.0 (Android 14; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0', null],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120 Instagram', null],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', null],
])('in-app browser: %s is an app’s on %s', (userAgent, platform) => {
  expect(inAppPlatform(userAgent)).toBe(platform);
});
