import { type ExpressSetup, setupOf, type Wallet, walletNames } from './messages.ts';

const { wallets, columns, height, type, theme, page, direction } = setupOf<ExpressSetup>();
// docs.stripe.com/js/elements_object/create_express_checkout_element: Link's button has one type.
const options = { apple_pay: 'applePay', google_pay: 'googlePay', link: null } as const;

function buttonOf(wallet: Wallet): HTMLButtonElement {
  const button = document.createElement('button');
  const option = options[wallet];
  const ordering = option && type[option] === 'order' ? 'Order with ' : '';
  button.type = 'button';
  // docs.stripe.com/js/elements_object/create_express_checkout_element: without a theme it is black.
  if (option && theme[option] === 'white') button.className = 'white';
  button.textContent = ordering + walletNames[wallet];
  button.addEventListener('click', () => parent.postMessage({ kind: 'press', wallet }, page));
  return button;
}

document.documentElement.dir = direction;
const sheet = new CSSStyleSheet();
sheet.replaceSync(`body{grid-template-columns:repeat(${columns},1fr);grid-auto-rows:${height}px}`);
document.adoptedStyleSheets = [sheet];
document.body.append(...wallets.map(buttonOf));
parent.postMessage({ kind: 'ready' }, page);
