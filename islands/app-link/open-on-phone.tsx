import type { IslandText } from '../../locales/index.ts';
import type { Page } from '../../worker/page-types.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { AppStores } from './app-stores.tsx';

type Props = {
  text: IslandText['open-app'];
  stores: Page['stores'];
  platform: 'apple' | 'google' | 'desktop';
  onOpen: () => void;
};

export function OpenOnPhone({ text, stores, platform, onOpen }: Props) {
  return (
    <>
      {stores.scheme && (
        <div className="stack gap-8">
          <ContinueButton label={text.open} type="button" onClick={onOpen} />
          <p className="note">{text.tap}</p>
        </div>
      )}
      <div className="stack gap-8">
        <h2>{text.get}</h2>
        <AppStores text={text} stores={stores} platform={platform} />
        <p className="note">{stores.scheme ? text.then : text.again_here}</p>
      </div>
    </>
  );
}
