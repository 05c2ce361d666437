import { type ExpressSetup, type FromExpress, type Wallet, walletNames } from './messages.ts';

const { wallets, columns, height, theme, type, page, direction }: ExpressSetup = JSON.parse(
  decodeURIComponent(location.hash.slice(1)),
);

const say = (message: FromExpress) => parent.postMessage(message, page);

const OPTIONS = { apple_pay: 'applePay', google_pay: 'googlePay', paypal: 'paypal' } as const;
const THEMES: Record<Wallet, string> = {
  apple_pay: 'black',
  google_pay: 'black',
  paypal: 'gold',
  link: 'link',
};

/** `Buy with Apple Pay`; a plain button has the wallet's name alone. */
function labelOf(wallet: Wallet): string {
  const asked = wallet === 'link' ? undefined : type[OPTIONS[wallet]];
  const name = walletNames[wallet];
  if (wallet === 'link') return 'Pay with Link';
  if (!asked || asked === 'plain' || asked === 'paypal') return name;
  const verb = asked.replaceAll('-', ' ').replace('buynow', 'buy');
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} with ${name}`;
}

function buttonOf(wallet: Wallet): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = labelOf(wallet);
  button.className = (wallet !== 'link' && theme[OPTIONS[wallet]]) || THEMES[wallet];
  button.addEventListener('click', () => say({ kind: 'press', wallet }));
  return button;
}

document.documentElement.dir = direction;
const sheet = new CSSStyleSheet();
sheet.replaceSync(`body{grid-template-columns:repeat(${columns},1fr);grid-auto-rows:${height}px}`);
document.adoptedStyleSheets = [sheet];
document.body.append(...wallets.map(buttonOf));
addEventListener('focus', () => say({ kind: 'focus' }));
addEventListener('blur', () => say({ kind: 'blur' }));
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') say({ kind: 'escape' });
});
say({ kind: 'ready' });
