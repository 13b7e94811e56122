/** A sentence said once in the status line, until the page's own state has something new to say. */
export class Announcer {
  text = $state('');

  say(text: string): void {
    this.text = text;
  }
}
