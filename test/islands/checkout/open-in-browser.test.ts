import { expect, it } from 'vitest';
import { isInAppBrowser } from '../../../islands/checkout/open-in-browser.tsx';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15';
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8';

it.each([
  [`${iphone} (KHTML, like Gecko) Mobile/15E148 Instagram 300.0.0.0.0`, 'apple'],
  [`${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/440.0]`, 'apple'],
  [`${iphone} Mobile musical_ly_30.0 BytedanceWebview/d8a21c6`, 'apple'],
  [`${android}) Chrome/120 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/440.0]`, 'google'],
  [`${android}; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile Safari/537.36`, 'google'],
  [`${iphone} (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1`, null],
  [`${android}) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36`, null],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120 Instagram', null],
])('in-app browser: %s lacks %s', (userAgent, wallet) => {
  expect(isInAppBrowser(userAgent)).toBe(wallet);
});
