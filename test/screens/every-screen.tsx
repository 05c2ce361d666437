import { AutoSignup } from '../../screens/auto-signup.tsx';
import { Checkout } from '../../screens/checkout.tsx';
import { Features } from '../../screens/features.tsx';
import { Guide } from '../../screens/guide.tsx';
import { Invited } from '../../screens/invited.tsx';
import { Landing } from '../../screens/landing.tsx';
import { MyAccountScreen } from '../../screens/my-account.tsx';
import { Notice } from '../../screens/notice.tsx';
import { OpenAppScreen } from '../../screens/open-app.tsx';
import { Paywall } from '../../screens/paywall.tsx';
import { Questions } from '../../screens/questions.tsx';
import { Searching } from '../../screens/searching.tsx';
import { SignInLinkScreen } from '../../screens/sign-in-link.tsx';
import { Signup } from '../../screens/signup.tsx';
import { Success } from '../../screens/success.tsx';
import { UpdateCardScreen } from '../../screens/update-card.tsx';
import { Upsell } from '../../screens/upsell.tsx';
import { page, props } from './page-fixture.tsx';

/** Each screen of the Worker in English, by the name of its page. */
export const screens = {
  one_pager: <Landing {...props} variant="one_pager" />,
  one_pager_all: <Landing {...props} variant="one_pager_all" />,
  one_pager_ai: <Landing {...props} variant="one_pager_ai" />,
  one_pager_l1: <Landing {...props} variant="one_pager_l1" />,
  one_pager_l2: <Landing {...props} variant="one_pager_l2" />,
  questions: <Questions {...props} />,
  searching: <Searching {...props} meter="line" alerts={false} />,
  searching_2: <Searching {...props} meter="ring" alerts={false} />,
  searching_ai: <Searching {...props} meter="small" alerts />,
  signup: <Signup {...props} reviews={false} />,
  signup_testim: <Signup {...props} reviews />,
  features: <Features {...props} />,
  checkout: <Checkout {...props} plans="column" primaryMethod="card" />,
  checkout_h3_pp: <Checkout {...props} plans="row" primaryMethod="wallets" />,
  paycheck: <Paywall {...props} hero="map" reviews primaryMethod="card" />,
  upsell: <Upsell {...props} offer="an_private" plan={page.extras.upsell} />,
  upsell_guide: <Upsell {...props} offer="guide" plan={page.extras.guide} />,
  success: <Success {...props} />,
  open_app: <OpenAppScreen {...props} />,
  mail_link: <SignInLinkScreen {...props} />,
  manage: <MyAccountScreen {...props} mode="manage" />,
  cancel: <MyAccountScreen {...props} mode="cancel" />,
  card: <UpdateCardScreen {...props} />,
  auto_signup: <AutoSignup {...props} />,
  guide: <Guide {...props} />,
  invited: <Invited {...props} page={{ ...page, kind: 'private' }} />,
  declined: <Notice {...props} kind="declined" />,
  fallback: <Notice {...props} kind="fallback" />,
  crash: <Notice {...props} kind="crash" />,
  refused: <Notice {...props} kind="form" message="Phone number is incorrect" />,
};
