/** The bank's page, where the payer passes or fails the challenge. */
export function showChallenge(
  heading: string,
  answer: (outcome: 'authenticated' | 'failed') => Promise<void>,
): void {
  const button = (text: string, outcome: 'authenticated' | 'failed') => {
    const newButton = document.createElement('button');
    newButton.type = 'button';
    newButton.textContent = text;
    newButton.addEventListener('click', () => {
      for (const each of document.querySelectorAll('button')) each.disabled = true;
      void answer(outcome);
    });
    return newButton;
  };
  const dialog = document.createElement('main');
  dialog.setAttribute('role', 'dialog');
  dialog.setAttribute('aria-modal', 'true');
  dialog.setAttribute('aria-labelledby', 'title');
  const title = document.createElement('h1');
  title.id = 'title';
  title.textContent = heading;
  const text = document.createElement('p');
  text.textContent = 'Your bank asks whether it is you. This is a test: choose the answer.';
  const complete = button('Complete', 'authenticated');
  dialog.append(title, text, complete, button('Fail', 'failed'));
  document.body.append(dialog);
  complete.focus();
}
