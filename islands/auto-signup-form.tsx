import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { signUp } from './account/signup.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import { setError } from './stores/error.ts';
import { randomId } from './stores/visitor-uuid.ts';
import { ContinueButton } from './ui/continue-button.tsx';

interface Props {
  text: IslandText['auto-signup-form'];
}

/** A random address at a reserved domain. */
const address = () => `test-${randomId()}@example.com`;

/** Signs up a test visitor on hydration and navigates on; the button is for a retry. */
export default function AutoSignupForm({ text }: Props) {
  const [pending, setPending] = useState(true);
  const start = async () => {
    setPending(true);
    const refusal = await signUp(address(), text);
    if (refusal === null) await navigate();
    else setError(refusal);
    setPending(false);
  };
  useOnHydrate(() => void start());
  return <ContinueButton type="button" label={text.again} pending={pending} onClick={start} />;
}
