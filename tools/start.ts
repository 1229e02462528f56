/** `npm start`: the demo. */
console.log("kubewright");
