/** The texts of a payment, all empty. */
export const paymentTexts = {
  network: '',
  lost: '',
  broken: '',
  after: '',
  unknown: '',
  checking: '',
  default: '',
  payment: '',
  failed: '',
  challenge: { title: '', close: '', closed: '', failed: '', unavailable: '' },
};
