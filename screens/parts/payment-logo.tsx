/** The one file that holds every mark of the way to pay, each in a view of its own. */
export const marks = '/images/payment.a561fb8164.svg';

type Name =
  | 'visa'
  | 'mastercard'
  | 'amex'
  | 'discover'
  | 'apple'
  | 'google'
  | 'paypal'
  | 'guarantee';

/** A mark of 48 to 30, in grey; the words beside it name it. */
export function PaymentLogo({ name, height = 25 }: { name: Name; height?: number }) {
  const source = `${marks}#${name}`;
  // The document asks for the file, once for all marks.
  return <img src={source} width={height * 1.6} height={height} alt="" fetchPriority="low" />;
}
