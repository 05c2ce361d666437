const unseen = 'position:fixed;clip-path:inset(50%)';

export function announce(text: string): void {
  let region = document.getElementById('announcer');
  if (!region) {
    region = document.createElement('p');
    region.id = 'announcer';
    region.setAttribute('role', 'status');
    region.style.cssText = unseen;
    document.body.append(region);
  }
  region.textContent = text;
}
