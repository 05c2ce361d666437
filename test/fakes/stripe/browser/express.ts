import { drawGooglePay } from '../../browser/google-pay-button.ts';
import { type ExpressSetup, setupOf, type Wallet, walletNames } from './messages.ts';

const setup = setupOf<ExpressSetup>();
const { wallets, columns, height, type, theme, page, direction, locale, radius } = setup;
// docs.stripe.com/js/elements_object/create_express_checkout_element: Link's button has one type.
const options = { apple_pay: 'applePay', google_pay: 'googlePay', link: null } as const;

function buttonOf(wallet: Wallet): HTMLButtonElement {
  const button = document.createElement('button');
  const option = options[wallet];
  const isOrder = option !== null && type[option] === 'order';
  button.type = 'button';
  // docs.stripe.com/js/elements_object/create_express_checkout_element: without a theme it is black.
  if (option && theme[option] === 'white') button.className = 'white';
  if (wallet === 'google_pay') drawGooglePay(button, locale, isOrder);
  else button.textContent = (isOrder ? 'Order with ' : '') + walletNames[wallet];
  button.addEventListener('click', () => parent.postMessage({ kind: 'press', wallet }, page));
  return button;
}

document.documentElement.dir = direction;
const sheet = new CSSStyleSheet();
sheet.replaceSync(
  `body{grid-template-columns:repeat(${columns},1fr);grid-auto-rows:${height}px}button{border-radius:${radius}}`,
);
document.adoptedStyleSheets = [sheet];
document.body.append(...wallets.map(buttonOf));
parent.postMessage({ kind: 'ready' }, page);
