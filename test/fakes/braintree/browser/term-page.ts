/** Cardinal's last page in the bank's frame; it notifies the script that opened the frame. */
const { outcome } = document.body.dataset;
parent.postMessage({ outcome }, '*');
