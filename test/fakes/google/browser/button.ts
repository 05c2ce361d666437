import { googleStrokes } from '../../../../islands/ui/google-logo.tsx';

const query = new URLSearchParams(location.search);
const texts: Record<string, string> = {
  signin_with: 'Sign in with Google',
  signup_with: 'Sign up with Google',
  continue_with: 'Continue with Google',
};

const continued: Record<string, string> = {
  de: 'Weiter mit Google',
  ar: 'المتابعة عبر Google',
  ja: 'Googleで続ける',
};

const logo = googleStrokes.map(([path, colour]) => `<path d="${path}" stroke="${colour}"/>`);
const button = document.createElement('button');
button.innerHTML = `<svg viewBox="0 0 18 18" fill="none" stroke-width="3.4">${logo.join('')}</svg>`;
const text = query.get('text') ?? '';
const label = document.createElement('span');
label.dir = 'auto';
label.textContent =
  (text === 'continue_with' && continued[query.get('locale') ?? '']) || (texts[text] ?? 'Sign in');
button.append(label);
button.classList.toggle('dark', query.get('theme') !== 'outline');
button.onclick = () => {
  open(`select?client_id=${query.get('client_id')}`, 'gsi', 'popup,width=400,height=560');
};
document.body.append(button);

addEventListener('message', ({ origin, data }) => {
  if (origin === location.origin) parent.postMessage(data, query.get('origin') ?? '');
});
