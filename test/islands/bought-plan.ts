/** The checkout's state after a purchase. */
export const purchase = {
  id: 'sub_1',
  showSuccessPopup: false,
  isProvisional: false,
  bought: '3 months: $59.99 every 3 months',
  renews: 'February 28, 2027',
};
