/** Reads the configuration that the page left for it, as PayPal's script does. */
const block = document.querySelector('script[fncls]');
if (!block?.textContent) throw new Error('no block of parameters');
JSON.parse(block.textContent);
