/** The texts of a payment, all empty. */
export const paymentTexts = {
  network: '',
  lost: '',
  unknown: '',
  checking: '',
  default: '',
  payment: '',
  failed: '',
  challenge: { title: '', close: '', closed: '', failed: '', unavailable: '' },
};
