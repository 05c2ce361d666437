import { useStore } from '@nanostores/react';
import { $checkout } from './stores/checkout.ts';

/** Says that access is provisional while a debit is being processed. */
export default function ProvisionalNote({ text }: { text: string }) {
  const { isProvisional } = useStore($checkout, { keys: ['isProvisional'], ssr: 'initial' });
  if (!isProvisional) return null;
  return (
    <p className="card" role="status">
      {text}
    </p>
  );
}
