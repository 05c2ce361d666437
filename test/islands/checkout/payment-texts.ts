/** The texts of a payment, all empty. */
export const paymentTexts = {
  network: '',
  lost: '',
  unknown: '',
  checking: '',
  default: '',
  payment: '',
  challenge: { title: '', close: '', closed: '', unavailable: '' },
};
