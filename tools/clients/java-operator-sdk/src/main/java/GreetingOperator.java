import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A hello-world operator on the Java Operator SDK, for ../../../../test-real/java-operator-sdk.test.ts. Its client is fabric8's, which
 * watches over WebSocket; children are written by server-side apply, a cleaner makes the SDK use a finalizer.
 */
public final class GreetingOperator {
  public static class Spec {
    public String name;
  }

  public static class Status {
    public String greeting;
    public Long observedGeneration;
  }

  @Group("clients.example.com")
  @Version("v1")
  public static class Greeting extends CustomResource<Spec, Status> implements Namespaced {}

  @ControllerConfiguration(name = "greetings")
  public static class GreetingReconciler implements Reconciler<Greeting>, Cleaner<Greeting> {
    @Override
    public List<EventSource<?, Greeting>> prepareEventSources(EventSourceContext<Greeting> context) {
      var children = InformerEventSourceConfiguration.from(ConfigMap.class, Greeting.class).build();
      return List.of(new InformerEventSource<>(children, context));
    }

    @Override
    public UpdateControl<Greeting> reconcile(Greeting greeting, Context<Greeting> context) {
      var metadata = greeting.getMetadata();
      var text = "Hello, " + greeting.getSpec().name + "!";
      var child = new ConfigMapBuilder()
          .withNewMetadata().withName(metadata.getName()).withNamespace(metadata.getNamespace()).endMetadata()
          .withData(Map.of("greeting", text))
          .build();
      child.addOwnerReference(greeting).setController(true);
      context.getClient().resource(child).forceConflicts().fieldManager("greetings").serverSideApply();
      var status = new Status();
      status.greeting = text;
      status.observedGeneration = metadata.getGeneration();
      greeting.setStatus(status);
      greeting.getMetadata().setManagedFields(null);
      return UpdateControl.patchStatus(greeting);
    }

    @Override
    public DeleteControl cleanup(Greeting greeting, Context<Greeting> context) {
      System.out.println("farewell, " + greeting.getMetadata().getName());
      return DeleteControl.defaultDelete();
    }
  }

  private GreetingOperator() {}

  public static void main(String[] args) {
    var operator = new Operator();
    operator.register(new GreetingReconciler());
    operator.installShutdownHook(Duration.ofSeconds(1));
    operator.start();
    System.out.println("started");
  }
}
