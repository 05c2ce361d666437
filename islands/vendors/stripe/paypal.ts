/** As high and as round as Stripe's buttons beside it. */
const look =
  'block-size:55px;inline-size:100%;padding:0;border:0;border-radius:12px;background:#ffc439;' +
  'color:#003087;font:italic 800 21px/1 system-ui,sans-serif;letter-spacing:-.02em;cursor:pointer';

/** None of PayPal's scripts runs on our page (docs.stripe.com/payments/paypal/accept-a-payment). */
export function payPalButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.style.cssText = look;
  button.textContent = 'PayPal';
  button.lang = 'en';
  return button;
}

/**
 * One row with reserved height; its buttons become equally wide once the number of Stripe's buttons is known. The gap
 * is the one that Stripe leaves between its own.
 */
export function rowIn(box: HTMLElement, button: HTMLElement) {
  const row = document.createElement('div');
  const cell = document.createElement('div');
  row.style.cssText = 'display:grid;gap:12px';
  cell.style.cssText = 'min-inline-size:0';
  row.append(cell);
  box.append(row);
  const complete = (count: number) => {
    cell.hidden = count === 0;
    row.append(button);
    // Stripe shows at most two in a row.
    const columns = Math.min(count, 2);
    row.style.gridTemplateColumns = `repeat(${columns + 1},minmax(0,1fr))`;
    cell.style.gridColumn = `span ${columns}`;
  };
  return { cell, complete, remove: () => row.remove() };
}
