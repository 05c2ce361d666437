import { Guide } from '../../screens/guide.tsx';
import { Invited } from '../../screens/invited.tsx';
import { MyAccountScreen } from '../../screens/my-account.tsx';
import { OpenAppScreen } from '../../screens/open-app.tsx';
import { Receipt } from '../../screens/receipt.tsx';
import { SignInLinkScreen } from '../../screens/sign-in-link.tsx';
import { UpdateCardScreen } from '../../screens/update-card.tsx';
import type { Company } from './company-facts.ts';
import type { ScreenProps } from './page-types.ts';
import { type Screen, single } from './screen-factories.tsx';

const account = (mode: 'manage' | 'cancel') => ({
  ...single('my-account', `${mode}.title`, (props: ScreenProps) => (
    <MyAccountScreen {...props} mode={mode} />
  )),
  renderBlockingLoader: true,
});

/** Pages for people who have bought or were invited; each contains the seller's facts. */
export const accountScreens = {
  open_app: () => single('open-app', 'open.title', OpenAppScreen),
  mail_link: () => single('sign-in-link', 'mail_link.title', SignInLinkScreen),
  guide: () => ({ ...single('guide', 'guide.title', Guide), renderBlockingLoader: true }),
  invited: () => single('invited', 'invited.title', Invited),
  manage: () => account('manage'),
  cancel: () => account('cancel'),
  card: () => single('update-card', 'card.title', UpdateCardScreen),
  receipt: (company: Company) => ({
    ...single('receipt', 'receipt.title', (props) => <Receipt {...props} company={company} />),
    renderBlockingLoader: true,
  }),
} satisfies Record<string, (company: Company) => Screen>;

export type AccountPage = keyof typeof accountScreens;
