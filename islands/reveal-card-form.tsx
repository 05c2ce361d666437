import { useStore } from '@nanostores/react';
import type { MouseEvent } from 'react';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $checkout, showCardForm } from './stores/checkout.ts';
import { ContinueLink } from './ui/continue-button.tsx';

interface Props {
  label: string;
  /** The label where no wallet works, below a heading that names the card. */
  labelAlone: string;
  /** Id of the card form; also the link's target without JavaScript. */
  sectionId: string;
}

/** Opens the card form if wallets come first, then disappears. */
export default function RevealCardForm({ label, labelAlone, sectionId }: Props) {
  const { isCardFormShown } = useStore($checkout, { keys: ['isCardFormShown'], ssr: 'initial' });
  // A new page starts with the wallets, unless its URL already targets the card.
  useOnHydrate(() => {
    const place = `#${sectionId}`;
    showCardForm(document.querySelector(`${place}:target, ${place} :target`) !== null);
  });
  if (isCardFormShown) return null;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    showCardForm(true);
    requestAnimationFrame(() => document.getElementById(sectionId)?.focus());
  };
  const shown = (
    <>
      <span data-beside="">{label}</span>
      <span data-alone="">{labelAlone}</span>
    </>
  );
  return <ContinueLink id="card-button" href={`#${sectionId}`} label={shown} onClick={open} />;
}
