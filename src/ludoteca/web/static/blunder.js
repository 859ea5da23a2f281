// Before a blunder: the server may say that a turn loses much instead of playing it. Then the player is asked, once.

/** @typedef {{ok: boolean, status: number, data: any}} Answer */

/**
 * Play something; if the server warns of it, ask, and play it anyway or not at all.
 * @param {(anyway: boolean) => Promise<Answer>} play
 * @returns {Promise<Answer>} status 0: it was not played
 */
export async function warned(play) {
  const answer = await play(false);
  if (!answer.data?.warning) return answer;
  return (await sure(answer.data.warning)) ? play(true) : { ok: false, status: 0, data: { detail: answer.data.warning } };
}

/** @param {string} text @returns {Promise<boolean>} */
function sure(text) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('ask-blunder'));
  dialog.querySelector('p')?.replaceChildren(text);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }));
}
