// What the arena answers to a script. An answer that breaks off, as where the arena is started anew, is none at all.

/** The answer with its `body`, a text; null where nobody answers, or not to the end. */
export async function ask(address, options) {
  try {
    const answer = await fetch(address, options);
    const { ok, status, redirected, headers } = answer;
    return { ok, status, redirected, headers, body: await answer.text() };
  } catch {
    return null;
  }
}

/** The page that an answer brought. */
export function pageOf({ body }) {
  return new DOMParser().parseFromString(body, "text/html");
}
