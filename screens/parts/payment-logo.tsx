/** A sprite with one view per payment logo. */
export const marks = '/images/payment.9b929e25f4.svg';

export const cards = ['visa', 'mastercard', 'amex', 'discover'] as const;

type Name = (typeof cards)[number] | 'apple' | 'google' | 'paypal' | 'guarantee';

/** A logo in grey, 48:30; the text beside it names it. */
export function PaymentLogo({ name, height = 25 }: { name: Name; height?: number }) {
  const source = `${marks}#${name}`;
  // All logos are in one file, which is requested once.
  return <img src={source} width={height * 1.6} height={height} alt="" fetchPriority="low" />;
}
