/** The style rules that can be checked. */
console.log("tidy: nothing to check yet");
