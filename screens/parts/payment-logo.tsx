/** A sprite with one view per payment logo. */
export const marks = '/images/payment.3a3c3cb505.svg';

export const cards = ['visa', 'mastercard', 'amex', 'discover'] as const;

type Name = (typeof cards)[number] | 'guarantee';

/** A card's mark in its brand's colours, or the guarantee's sign, 48:30; the text beside it names it. */
export function PaymentLogo({ name, height = 22 }: { name: Name; height?: number }) {
  const source = `${marks}#${name}`;
  // All logos are in one file, which is requested once.
  return (
    <img src={source} width={Math.round(height * 1.6)} height={height} alt="" fetchPriority="low" />
  );
}
